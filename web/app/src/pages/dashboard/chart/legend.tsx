import { t } from "../../../texts/texts.ts";
import type { PlacedMark } from "../../../ui/plot/chartMarks.ts";
import { comparisonText } from "../bar/comparisonText.ts";
import { useDashboard } from "../context.ts";
import { comparedWith, comparisonIn } from "../view/comparison.ts";

type LegendProps = {
  readonly name: string;
  readonly marks: readonly PlacedMark[];
  /** Whether there are figures to compare with. */
  readonly hasBefore: boolean;
  /** Whether nothing is known of some buckets. */
  readonly hasGaps: boolean;
  /** Whether the bucket that is not over is drawn up to where it leads. */
  readonly isRunning: boolean;
};

/** Explains the lines and the marks of the chart, each kind once. */
export function Legend({ name, marks, hasBefore, hasGaps, isRunning }: LegendProps) {
  const { view, now } = useDashboard();
  const texts = t();
  const { dashboard, uptime } = texts;
  const comparison = comparisonIn(view);
  const has = (kind: PlacedMark["kind"]) => marks.some((mark) => mark.kind === kind);
  return (
    <ul class="legend" data-marks={marks.length}>
      <li data-kind="line">{name}</li>
      {comparison !== "none" && hasBefore && (
        <li data-kind="before">{comparisonText(comparedWith(comparison, view.range, now.day), texts)}</li>
      )}
      {isRunning && <li data-kind="running">{dashboard.projected}</li>}
      {hasGaps && <li data-kind="gap">{dashboard.gap}</li>}
      {has("incident") && <li data-kind="incident">{uptime.incidents}</li>}
      {has("maintenance") && <li data-kind="maintenance">{uptime.maintenance}</li>}
    </ul>
  );
}
