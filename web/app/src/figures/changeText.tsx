import { formatPercent, formatTenths } from "../texts/format.ts";
import { t } from "../texts/texts.ts";
import { type ChangeUnit, changeOf } from "./change.ts";
import "../styles/change.css";

/** A figure; undefined until known, null if nothing was measured. */
type Value = number | null | undefined;

type ChangeTextProps = {
  readonly value: Value;
  readonly before: Value;
  readonly format: (value: number) => string;
  readonly moreIs: "better" | "worse";
  /** Figures that are percentages change by percentage points: "percent" would be misread as these. */
  readonly unit?: ChangeUnit | undefined;
  /** The time of the earlier figure. */
  readonly time: string;
};

/** How a figure has changed. Shown only if both periods have a figure: a missing one is neither more nor less. */
export function ChangeText({ value, before, format, moreIs, unit = "percent", time }: ChangeTextProps) {
  if (!isMeasured(value) || !isMeasured(before)) return null;
  const { dashboard } = t();
  const compared = dashboard.comparedWith(format(before), time);
  const explanation = unit === "points" ? dashboard.inPoints(compared) : compared;
  const change = changeOf(value, before, { moreIs, unit });
  const direction = change === undefined || change.size === 0 ? "same" : change.size > 0 ? "up" : ("down" as const);
  return (
    <span class="change" data-good={change?.isGood} title={explanation}>
      {change === undefined ? (
        dashboard.fromNothing
      ) : (
        <>
          <span aria-hidden="true">{arrows[direction]}</span>
          <span class="said">{dashboard.directions[direction]} </span>
          {formatSize(Math.abs(change.size), unit)}
        </>
      )}
      <span class="said"> {explanation}</span>
    </span>
  );
}

function formatSize(size: number, unit: ChangeUnit): string {
  return unit === "points" ? t().dashboard.points(formatTenths(size)) : formatPercent(size, size < 10 ? 1 : 0);
}

const arrows = { up: "↑ ", down: "↓ ", same: "" } as const;

function isMeasured(value: Value): value is number {
  return value !== undefined && value !== null;
}
