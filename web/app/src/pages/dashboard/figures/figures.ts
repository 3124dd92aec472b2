import type { SummaryMetricsRow } from "../../../../../../packages/client-js/src/rows.ts";
import type { ChangeUnit } from "../../../figures/change.ts";
import { formatDecimal, formatPercent, formatShortCount, formatShortDuration } from "../../../texts/format.ts";
import type { Metric } from "../view/view.ts";

/** A key figure: its field in the answer, its format, and whether more of it is better. */
export type Figure = {
  readonly metric: Metric;
  readonly field: keyof SummaryMetricsRow;
  readonly format: (value: number) => string;
  readonly moreIs: "better" | "worse";
  /** The unit of its changes; percent unless given. */
  readonly changesIn?: ChangeUnit;
  /** Whether it is a whole number. */
  readonly isCount?: true;
};

/** The key figures, in the order in which they are shown. */
export const figures: readonly Figure[] = [
  { metric: "visitors", field: "unique_visitors", format: formatShortCount, moreIs: "better", isCount: true },
  { metric: "sessions", field: "sessions", format: formatShortCount, moreIs: "better", isCount: true },
  { metric: "pageviews", field: "pageviews", format: formatShortCount, moreIs: "better", isCount: true },
  {
    metric: "pages_per_session",
    field: "pages_per_session",
    format: formatDecimal,
    moreIs: "better",
  },
  { metric: "bounce_rate", field: "bounce_rate", format: formatPercent, moreIs: "worse", changesIn: "points" },
  {
    metric: "median_session_duration",
    field: "median_session_duration",
    format: formatShortDuration,
    moreIs: "better",
  },
];

export function figureOf(metric: Metric): Figure {
  const found = figures.find((figure) => figure.metric === metric);
  if (found === undefined) throw new Error(`there is no figure for ${metric}`);
  return found;
}
