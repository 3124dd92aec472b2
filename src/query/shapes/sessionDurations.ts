import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { PreparedAnswer } from "../plan/preparedAnswer.ts";
import { Bindings } from "../sql/bindings.ts";
import { selectedVisits } from "../visits/visitEvents.ts";
import { columnRows } from "./columnRows.ts";

/** Ranges of durations with their exclusive end in seconds. */
const ranges = [
  { label: "0-30s", endSeconds: 30 },
  { label: "30s-1m", endSeconds: 60 },
  { label: "1m-5m", endSeconds: 300 },
  { label: "5m-15m", endSeconds: 900 },
  { label: "15m-1h", endSeconds: 3_600 },
] as const;

const longest = "1h+";

/** How many sessions lasted how long: a row for each range of durations, including empty ones. */
export function prepareSessionDurations(plan: ParameterPlan): PreparedAnswer {
  const bindings = new Bindings();
  const cases = ranges.map(({ endSeconds }, index) => `WHEN seconds < ${endSeconds} THEN ${index}`).join(" ");
  const sql =
    `SELECT CASE ${cases} ELSE ${ranges.length} END AS place, count() AS sessions, count_distinct(visitor_key) AS visitors ` +
    `FROM (${selectedVisits(plan, [], bindings)}) GROUP BY place`;
  return {
    statements: [{ sql, values: bindings.values }],
    rows: ([found = []]) => {
      const labels = [...ranges.map(({ label }) => label), longest];
      const total = found.reduce((sum, row) => sum + Number(row["sessions"]), 0);
      const rows = labels.map((label, place) => {
        const row = found.find((one) => Number(one["place"]) === place);
        const sessions = Number(row?.["sessions"] ?? 0);
        return {
          duration_range: label,
          sessions,
          visitors: row?.["visitors"] ?? 0,
          percentage: total === 0 ? 0 : (100 * sessions) / total,
        };
      });
      return columnRows(plan.type.fields, rows.slice(plan.offset, plan.offset + plan.limit));
    },
  };
}
