import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { PreparedAnswer } from "../plan/preparedAnswer.ts";
import { Bindings } from "../sql/bindings.ts";
import { columnRows } from "./columnRows.ts";
import { pageVisitsSql } from "./pageVisits.ts";

/** Quarters of a page; the last one includes its end. */
const depthRanges = ["0-25%", "25-50%", "50-75%", "75-100%"] as const;

/**
 * Total figures of what sessions did on their pages, over the sessions that reported them: one row, empty without any.
 */
export function prepareEngagement(plan: ParameterPlan): PreparedAnswer {
  const bindings = new Bindings();
  const sql =
    "SELECT sum(depth_sum) / sum(depth_count) AS avg_scroll_depth, count(depth_max) AS scroll_sessions, " +
    "count_distinct(CASE WHEN depth_max != null THEN visitor_key END) AS visitors, avg(interactions) AS avg_interactions, " +
    "sum(CASE WHEN interactions > 0 THEN 1 ELSE 0 END) AS interactive_sessions, count(interactions) AS interaction_sessions, " +
    "avg(CASE WHEN interactions = null THEN null WHEN interactions > 0 THEN 100.0 ELSE 0.0 END) AS interaction_rate " +
    `FROM (${sessionsSql(plan, bindings)})`;
  return {
    statements: [{ sql, values: bindings.values }],
    rows: ([rows = []]) => columnRows(plan.type.fields, rows.slice(plan.offset, plan.offset + plan.limit)),
  };
}

/** The largest scroll depth of sessions: a row for each quarter of a page, including empty ones. */
export function prepareScrollDepths(plan: ParameterPlan): PreparedAnswer {
  const bindings = new Bindings();
  const sql =
    "SELECT CASE WHEN depth_max < 25 THEN 0 WHEN depth_max < 50 THEN 1 WHEN depth_max < 75 THEN 2 ELSE 3 END AS place, " +
    `count() AS sessions, count_distinct(visitor_key) AS visitors FROM (${sessionsSql(plan, bindings)}) ` +
    "WHERE depth_max != null GROUP BY place";
  return {
    statements: [{ sql, values: bindings.values }],
    rows: ([found = []]) => {
      const total = found.reduce((sum, row) => sum + Number(row["sessions"]), 0);
      const rows = depthRanges.map((depthRange, place) => {
        const row = found.find((one) => Number(one["place"]) === place);
        const sessions = Number(row?.["sessions"] ?? 0);
        const percentage = total === 0 ? 0 : (100 * sessions) / total;
        return { depth_range: depthRange, sessions, visitors: row?.["visitors"] ?? 0, percentage };
      });
      return columnRows(plan.type.fields, rows.slice(plan.offset, plan.offset + plan.limit));
    },
  };
}

function sessionsSql(plan: ParameterPlan, bindings: Bindings): string {
  return (
    "SELECT session, max(visitor_key) AS visitor_key, sum(depth) AS depth_sum, count(depth) AS depth_count, max(depth) AS depth_max, " +
    `sum(interactions) AS interactions FROM (${pageVisitsSql(plan, bindings)}) GROUP BY session`
  );
}
