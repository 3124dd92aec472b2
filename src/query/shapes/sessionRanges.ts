import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { PreparedAnswer } from "../plan/preparedAnswer.ts";
import { Bindings } from "../sql/bindings.ts";
import { selectedVisits } from "../visits/visitEvents.ts";
import { columnAnswer } from "./columnRows.ts";
import { sessionsSql } from "./engagement.ts";

/** Ranges of a column of sessions, and the field of the answer with their names. The last one holds all larger values. */
type Ranges = { readonly field: string; readonly column: string; readonly ends: Readonly<Record<string, number>> };

/** In seconds, exclusive. */
const durations = {
  field: "duration_range",
  column: "seconds",
  ends: { "0-30s": 30, "30s-1m": 60, "1m-5m": 300, "5m-15m": 900, "15m-1h": 3_600, "1h+": Number.POSITIVE_INFINITY },
};

/** Quarters of a page; the last one includes its end. */
const depths = {
  field: "depth_range",
  column: "depth_max",
  ends: { "0-25%": 25, "25-50%": 50, "50-75%": 75, "75-100%": Number.POSITIVE_INFINITY },
};

/** How many sessions lasted how long. */
export function prepareSessionDurations(plan: ParameterPlan): PreparedAnswer {
  const bindings = new Bindings();
  return sessionsByRange(plan, durations, `(${selectedVisits(plan, [], bindings)})`, bindings);
}

/** How far sessions scrolled at most. */
export function prepareScrollDepths(plan: ParameterPlan): PreparedAnswer {
  const bindings = new Bindings();
  return sessionsByRange(plan, depths, `(${sessionsSql(plan, bindings)}) WHERE depth_max != null`, bindings);
}

/** Counts the sessions of `from`, the text after FROM: a row for each range, including empty ones. */
function sessionsByRange(
  plan: ParameterPlan,
  { field, column, ends }: Ranges,
  from: string,
  bindings: Bindings,
): PreparedAnswer {
  const labels = Object.keys(ends);
  const last = labels.length - 1;
  const cases = Object.values(ends).map((end, place) => (place < last ? `WHEN ${column} < ${end} THEN ${place} ` : ""));
  const sql =
    `SELECT CASE ${cases.join("")}ELSE ${last} END AS place, count() AS sessions, count_distinct(visitor_key) AS visitors ` +
    `FROM ${from} GROUP BY place`;
  return columnAnswer(plan, sql, bindings, (found) => {
    const total = found.reduce((sum, row) => sum + Number(row["sessions"]), 0);
    const rows = labels.map((label, place) => {
      const row = found.find((one) => Number(one["place"]) === place);
      const sessions = Number(row?.["sessions"] ?? 0);
      const percentage = total === 0 ? 0 : (100 * sessions) / total;
      return { [field]: label, sessions, visitors: row?.["visitors"] ?? 0, percentage };
    });
    return rows.slice(plan.offset, plan.offset + plan.limit);
  });
}
