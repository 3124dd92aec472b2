import { withSessionsSql } from "../../aggregation/sessionSql.ts";
import { inactivityMs } from "../../aggregation/sessions.ts";
import { columnsOfTable } from "../../store/questdb/tables.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { Bindings } from "../sql/bindings.ts";
import { filterSql } from "../sql/filters.ts";
import { countWhere, eventKinds } from "../sql/measures.ts";
import { rowsOf } from "../sql/rowScope.ts";
import { isOneSession, longKeysSql } from "./sessionKeys.ts";

/**
 * Text of a session: that of the first of its events that has one. Columns of events; outgoing links have only the ids.
 */
export type SessionText =
  | "session_id"
  | "anonymous_id"
  | "country"
  | "region"
  | "browser"
  | "os"
  | "device"
  | "referrer";

/**
 * Whose activities: those of sessions or of visitors with an event that the filters select, or those of the given
 * visitors.
 */
export type ActivityScope = "chosen_sessions" | "chosen_visitors" | readonly number[];

/**
 * Sessions as one statement; each row is a session with an event that the filters select: session_key, session_began,
 * started and ended (TIMESTAMP), visitor_key, page_views, unique_pages, actions, clicks, stored_events (rows of both
 * tables), seconds, and the texts.
 *
 * `ofVisitors` selects the sessions of these visitors instead.
 *
 * `first_not_null` of a VARCHAR returns wrong bytes when it is grouped again (QuestDB 9.3.4), hence the casts to
 * STRING.
 */
export function sessionRowsSql(
  plan: ParameterPlan,
  bindings: Bindings,
  texts: readonly SessionText[],
  ofVisitors?: readonly number[],
): string {
  const values = texts.map((text) => `, first_not_null(${text}) AS ${text}`).join("");
  const isChosen = ofVisitors !== undefined || plan.filters.length === 0 ? "" : " AND chosen > 0";
  const figures =
    "min(ts) AS started, max(ts) AS ended, max(visitor_key) AS visitor_key, " +
    `max(CASE WHEN time_on_page_ms < ${inactivityMs} THEN time_on_page_ms ELSE null END) AS longest_ms, ` +
    `${countWhere(eventKinds.page_view)} AS page_views, count_distinct(CASE WHEN ${eventKinds.page_view} THEN path END) AS unique_pages, ` +
    `${countWhere(eventKinds.custom)} AS actions, ${countWhere("event_type = 'link'")} AS clicks, ` +
    `count() AS stored_events, sum(chosen) AS chosen${values}`;
  const rows = rowsSql(plan, bindings, texts, ofVisitors ?? "chosen_sessions");
  // Most keys have one session, which plain grouping finds; only the others need window functions.
  const single =
    `SELECT * FROM (SELECT session_key, min(ts)::long AS session_began, ${figures} FROM (${rows}) GROUP BY session_key) ` +
    `WHERE ${isOneSession("started", "ended")}`;
  const ofLongKeys = `SELECT r.* FROM (${rows}) r JOIN (${longKeysSql(`(${rows})`)}) k ON r.session_key = k.session_key`;
  const several =
    `SELECT session_key, session_began, ${figures} FROM (${withSessionsSql(ofLongKeys)}) ` +
    "GROUP BY session_key, session_began";
  const sessions = `${single} UNION ALL ${several}`;
  return (
    "SELECT *, greatest((ended - started) / 1000000.0, coalesce(longest_ms, 0) / 1000.0) AS seconds " +
    `FROM (${sessions}) WHERE page_views + actions + clicks > 0${isChosen}`
  );
}

/**
 * Events and clicks, each with the session it belongs to: session_key, session_began, ts, event_type (`link` for
 * clicks), visitor_key, name, path, time_on_page_ms, scroll_depth_percent, interaction_count, chosen (1 where the
 * filters select it) and the texts.
 */
export function activitiesSql(
  plan: ParameterPlan,
  bindings: Bindings,
  texts: readonly SessionText[],
  of: ActivityScope = "chosen_sessions",
): string {
  return withSessionsSql(rowsSql(plan, bindings, texts, of));
}

/** The rows of `activitiesSql` without their sessions. */
function rowsSql(plan: ParameterPlan, bindings: Bindings, texts: readonly SessionText[], of: ActivityScope): string {
  const values = texts.map((text) => `, nullif(${text}, '')::string AS ${text}`).join("");
  const linkValues = texts
    .map((text) => `, ${text in columnsOfTable.outgoing_links ? `nullif(${text}, '')` : "null"}::string AS ${text}`)
    .join("");
  const chosen = typeof of === "string" ? (filterSql(plan.filters, "events", bindings) ?? "true") : "true";
  const all =
    "SELECT session_key, ts, event_type::varchar AS event_type, visitor_key, name, path, time_on_page_ms, scroll_depth_percent, " +
    `interaction_count, CASE WHEN ${chosen} THEN 1 ELSE 0 END AS chosen${values} ` +
    `FROM ${rowsOf("events", plan, bindings)} AND session_key != null UNION ALL ` +
    "SELECT session_key, ts, 'link'::varchar AS event_type, visitor_key, null::varchar AS name, path, null::double AS time_on_page_ms, " +
    `null::float AS scroll_depth_percent, null::int AS interaction_count, 0 AS chosen${linkValues} ` +
    `FROM ${rowsOf("outgoing_links", plan, bindings)} AND session_key != null`;
  return withKeys(all, plan, bindings, of);
}

/** Removes rows of other sessions before sorting, which is most of the work. */
function withKeys(all: string, plan: ParameterPlan, bindings: Bindings, of: ActivityScope): string {
  const condition =
    typeof of === "string" ? filterSql(plan.filters, "events", bindings) : `visitor_key IN (${bindings.bindAll(of)})`;
  if (condition === undefined) return all;
  const chosen = `${rowsOf("events", plan, bindings)} AND ${condition}`;
  const keys =
    of === "chosen_visitors"
      ? `SELECT DISTINCT session_key AS wanted_key FROM (SELECT session_key, visitor_key FROM ${rowsOf("events", plan, bindings)}) ` +
        `JOIN (SELECT DISTINCT visitor_key AS wanted_visitor FROM ${chosen}) ON visitor_key = wanted_visitor`
      : `SELECT DISTINCT session_key AS wanted_key FROM ${chosen}`;
  return `SELECT * FROM (${all}) JOIN (${keys}) ON session_key = wanted_key`;
}
