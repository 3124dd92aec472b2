import { withSessionsSql } from "../../aggregation/sessionSql.ts";
import { inactivityMs } from "../../aggregation/sessions.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { Bindings } from "../sql/bindings.ts";
import type { Field } from "../sql/fields.ts";
import { filterSql } from "../sql/filters.ts";
import { countWhere, eventKinds } from "../sql/measures.ts";
import { accessTo, rowsOf } from "../sql/rowScope.ts";
import { isOneSession, longKeysSql } from "./sessionKeys.ts";
import type { StoredSessions } from "./storedSessions.ts";

/**
 * A statement for sessions built from events and outgoing links: started and last (its first and last activity),
 * visitor_key, page_views, actions, clicks, seconds, duration_ms and, for the dimensions, g0, g1 … (null without a
 * value). Sessions without an event that the filters select are left out. Types about page views take values and filters
 * of page views alone.
 *
 * Most keys have no links and one session, which plain grouping finds on all cores. The others need window functions.
 */
export function sessionsFromEvents(plan: ParameterPlan, dimensions: readonly Field[], bindings: Bindings): string {
  const { shape, only } = plan.type;
  const end = (shape.kind === "table" && shape.sessionEnd) || "first";
  // On all cores QuestDB 9.3.4 returns null as the last value of a key whose later rows have none.
  const access = end === "last" ? "index" : accessTo(plan, "grouped");
  const events = `${rowsOf("events", plan, bindings, access)} AND session_key != null`;
  const links = `${rowsOf("outgoing_links", plan, bindings, access)} AND session_key != null`;
  const ofPageViews = only === "page_view";
  const filters = filterSql(plan.filters, "events", bindings);
  const chosen = [ofPageViews ? eventKinds.page_view : "true", filters].filter(Boolean).join(" AND ");
  const linkedKeys = `SELECT DISTINCT session_key FROM ${links}`;
  // first and last of a VARCHAR return wrong bytes when they are grouped again (QuestDB 9.3.4); STRING is right.
  const values = dimensions.map(({ column }) =>
    ofPageViews ? `CASE WHEN ${eventKinds.page_view} THEN ${column}::string END` : `${column}::string`,
  );
  const figures = (groups: readonly string[], clicks: string, counted: string) =>
    [
      "min(ts) AS started, max(ts) AS last, max(visitor_key) AS visitor_key",
      `max(CASE WHEN time_on_page_ms < ${inactivityMs} THEN time_on_page_ms END) AS longest_ms`,
      `${countWhere(eventKinds.page_view)} AS page_views, ${countWhere(eventKinds.custom)} AS actions, ${clicks} AS clicks`,
      `${countWhere(counted)} AS chosen`,
      ...groups.map((value, index) => `${end}_not_null(${value}) AS g${index}`),
    ].join(", ");
  const names = ["started", "last", "visitor_key", "longest_ms", "page_views", "actions", "clicks", "chosen"];
  const columns = [...names, ...values.map((_, index) => `g${index}`)].join(", ");

  const plain =
    `SELECT e.session_key AS session_key, ${columns} FROM ` +
    `(SELECT session_key, ${figures(values, "0", chosen)} FROM ${events} GROUP BY session_key) e ` +
    `LEFT JOIN (${linkedKeys}) l ON e.session_key = l.session_key ` +
    `WHERE l.session_key = null AND ${isOneSession("started", "last")}`;

  const kept = values.map((_, index) => `v${index}`);
  const found = values.map((value, index) => `, ${value} AS v${index}`).join("");
  const none = kept.map((name) => `, null::string AS ${name}`).join("");
  const activities =
    `SELECT e.* FROM (SELECT session_key, ts, event_type::varchar AS event_type, visitor_key, time_on_page_ms${found}, ` +
    `CASE WHEN ${chosen} THEN 1 ELSE 0 END AS chosen FROM ${events}) e ` +
    `JOIN (${longKeysSql(events)} UNION ${linkedKeys}) k ON e.session_key = k.session_key UNION ALL ` +
    `SELECT session_key, ts, 'link'::varchar AS event_type, visitor_key, null::double AS time_on_page_ms${none}, ` +
    `0 AS chosen FROM ${links}`;
  const windowed =
    `SELECT session_key, ${columns} FROM (SELECT session_key, session_began, ` +
    `${figures(kept, countWhere("event_type = 'link'"), "chosen = 1")} ` +
    `FROM (${withSessionsSql(activities)}) GROUP BY session_key, session_began)`;

  const isChosen = ofPageViews || filters !== undefined ? " AND chosen > 0" : "";
  return (
    "SELECT *, greatest((last - started) / 1000000.0, coalesce(longest_ms, 0) / 1000.0) AS seconds, " +
    "greatest((last - started) / 1000, coalesce(longest_ms, 0)::long) AS duration_ms " +
    `FROM (${plain} UNION ALL ${windowed}) WHERE page_views + actions + clicks > 0${isChosen}`
  );
}

/** The sessions that touch a live range, as statements with these columns of `sessionsFromEvents`. */
export function liveSessions(
  columns: string,
  plan: ParameterPlan,
  { liveRanges, windows }: StoredSessions,
  dimensions: readonly Field[],
  bindings: Bindings,
): string[] {
  const touches = liveRanges.map(({ startMs, endMs }) => `(last::long >= ${startMs}000 AND started < ${endMs}000)`);
  return windows.map((range) => {
    const sessions = sessionsFromEvents({ ...plan, range }, dimensions, bindings);
    return `SELECT ${columns} FROM (${sessions}) WHERE ${touches.join(" OR ")}`;
  });
}
