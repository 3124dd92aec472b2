import { inactivityMs } from "../../aggregation/sessions.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { PreparedAnswer } from "../plan/preparedAnswer.ts";
import { Bindings } from "../sql/bindings.ts";
import { isEmpty } from "../sql/filters.ts";
import { countWhere, eventKinds } from "../sql/measures.ts";
import { activitiesSql, chosenSql } from "../visits/activities.ts";
import { sessionNumber } from "../visits/sessionKeys.ts";
import { visitsSql } from "../visits/visitsSql.ts";
import { columnAnswer } from "./columnRows.ts";

/**
 * Visits of pages as one statement: what one session saw of one path, with session (its number), path, visitor_key,
 * page_views, time_ms, depth (percent) and interactions, which are null if no event reported them. Trackers report
 * growing values, so the largest counts. A visit is included when the filters match one of its events.
 */
export function pageVisitsSql(plan: ParameterPlan, bindings: Bindings): string {
  const values = {
    path: ["path", "path"],
    scroll_depth_percent: ["scroll_depth_percent", "null::float"],
    interaction_count: ["interaction_count", "null::int"],
    time_on_page_ms: ["time_on_page_ms", "null::double"],
    chosen: chosenSql(plan, bindings),
  } as const;
  const activities = activitiesSql(plan, visitsSql(plan, [], bindings), values, [], bindings);
  const visits =
    "SELECT session_key, session_began, path, max(visitor_key) AS visitor_key, sum(chosen) AS chosen, " +
    `${countWhere(`${eventKinds.page_view} AND chosen = 1`)} AS page_views, max(scroll_depth_percent::double) AS depth, ` +
    "max(interaction_count) AS interactions, " +
    `max(CASE WHEN time_on_page_ms < ${inactivityMs} THEN time_on_page_ms::long ELSE null END) AS time_ms ` +
    `FROM (${activities}) WHERE event_type IN ('page_view', 'page_exit') ` +
    "GROUP BY session_key, session_began, path";
  return `SELECT *, ${sessionNumber("session_key", "session_began")} AS session FROM (${visits}) WHERE chosen > 0`;
}

/** The answer of a type whose rows are pages, by how they were visited. */
export function preparePageVisits(plan: ParameterPlan): PreparedAnswer {
  const { shape } = plan.type;
  if (shape.kind !== "page_visits") throw new Error(`${plan.type.name} is no table of page visits`);
  const bindings = new Bindings();
  const pages =
    `SELECT CASE WHEN ${isEmpty("path")} THEN 'Unknown' ELSE path END AS name, sum(page_views) AS pageviews, ` +
    "count_distinct(visitor_key) AS visitors, count_distinct(session) AS sessions, " +
    "count(time_ms) AS sessions_with_time, avg(time_ms) / 1000.0 AS avg_time_on_page, " +
    // QuestDB has no exact median; three digits keep the error under 0.1 %.
    "approx_percentile(time_ms, 0.5, 3) / 1000.0 AS median_time_on_page, avg(depth) AS avg_scroll_depth " +
    `FROM (${pageVisitsSql(plan, bindings)})${shape.figure === "scroll" ? " WHERE depth != null" : ""} GROUP BY name`;
  const size = { pageviews: "pageviews", time: "sessions_with_time", scroll: "sessions" }[shape.figure];
  const shares = `SELECT *, ${size} * 100.0 / sum(${size}) OVER () AS percentage FROM (${pages}) WHERE ${size} > 0`;
  const sql = `SELECT * FROM (${shares}) ORDER BY ${size} DESC, visitors DESC, name ${bindings.bindPage(plan)}`;
  return columnAnswer(plan, sql, bindings);
}
