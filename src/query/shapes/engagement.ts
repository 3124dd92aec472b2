import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { PreparedAnswer } from "../plan/preparedAnswer.ts";
import { Bindings } from "../sql/bindings.ts";
import { columnAnswer } from "./columnRows.ts";
import { pageVisitsSql } from "./pageVisits.ts";

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
  return columnAnswer(plan, sql, bindings, (rows) => rows.slice(plan.offset, plan.offset + plan.limit));
}

/** What sessions did on their pages: a statement with a row for each session. */
export function sessionsSql(plan: ParameterPlan, bindings: Bindings): string {
  return (
    "SELECT session, max(visitor_key) AS visitor_key, sum(depth) AS depth_sum, count(depth) AS depth_count, max(depth) AS depth_max, " +
    `sum(interactions) AS interactions FROM (${pageVisitsSql(plan, bindings)}) GROUP BY session`
  );
}
