import { directGroup } from "../../aggregation/sessionContext.ts";
import { withSessionsSql } from "../../aggregation/sessionSql.ts";
import { inactivityMs } from "../../aggregation/sessions.ts";
import type { TimeRange } from "../../time/dates.ts";
import type { Bindings } from "../sql/bindings.ts";
import { countWhere, eventKinds } from "../sql/measures.ts";
import { accessTo, type RowScope, rowsOf } from "../sql/rowScope.ts";
import { isOneSession, longKeysSql } from "./sessionKeys.ts";
import { type VisitText, visitorType } from "./visitColumns.ts";

/**
 * The statement for the visits that events and outgoing links of a window give, with the columns of visitFigures and these texts.
 *
 * Most keys have no links and one visit, which plain grouping finds on all cores. The others need window functions.
 */
export function liveVisitsSql(
  scope: RowScope,
  window: TimeRange,
  texts: readonly VisitText[],
  bindings: Bindings,
): string {
  const plan = { ...scope, range: window };
  // On all cores QuestDB 9.3.4 returns null as the last value of a key whose later rows have none.
  const access = texts.includes("exit_page") ? "index" : accessTo(plan, "grouped");
  const events = `${rowsOf("events", plan, bindings, access)} AND session_key != null`;
  const links = `${rowsOf("outgoing_links", plan, bindings, access)} AND session_key != null`;
  const linkedKeys = `SELECT DISTINCT session_key FROM ${links}`;
  const figures = (values: readonly string[], clicks: string) =>
    [
      "min(ts) AS started, max(ts) AS ended, max(visitor_key) AS visitor_key",
      `max(CASE WHEN time_on_page_ms < ${inactivityMs} THEN time_on_page_ms END) AS longest_ms`,
      `${countWhere(eventKinds.page_view)} AS page_views, ${countWhere(eventKinds.custom)} AS actions, ${clicks} AS clicks`,
      ...texts.map(
        (text, index) => `${text === "exit_page" ? "last" : "first"}_not_null(${values[index] ?? ""}) AS ${text}`,
      ),
    ].join(", ");
  const names = ["started", "ended", "visitor_key", "longest_ms", "page_views", "actions", "clicks", ...texts];

  const plain =
    `SELECT ${["e.session_key AS session_key", ...names].join(", ")} FROM ` +
    `(SELECT session_key, ${figures(texts.map(eventValueOf), "0")} FROM ${events} GROUP BY session_key) e ` +
    `LEFT JOIN (${linkedKeys}) l ON e.session_key = l.session_key ` +
    `WHERE l.session_key = null AND ${isOneSession("started", "ended")}`;

  const found = texts.map((text, index) => `, ${eventValueOf(text)} AS v${index}`).join("");
  const ofLinks = texts.map((text, index) => `, ${linkValueOf(text)} AS v${index}`).join("");
  const activities =
    `SELECT e.* FROM (SELECT session_key, ts, event_type::varchar AS event_type, visitor_key, time_on_page_ms${found} FROM ${events}) e ` +
    `JOIN (${longKeysSql(events)} UNION ${linkedKeys}) k ON e.session_key = k.session_key UNION ALL ` +
    `SELECT session_key, ts, 'link'::varchar AS event_type, visitor_key, null::double AS time_on_page_ms${ofLinks} FROM ${links}`;
  const windowed =
    `SELECT ${["session_key", ...names].join(", ")} FROM (SELECT session_key, session_began, ` +
    `${figures(
      texts.map((_, index) => `v${index}`),
      countWhere("event_type = 'link'"),
    )} ` +
    `FROM (${withSessionsSql(activities)}) GROUP BY session_key, session_began)`;

  const shown = texts.map((text) => `, ${text}`).join("");
  return (
    "SELECT session_key, started::long AS began, ended::long AS last, started, visitor_key, page_views, actions, clicks, " +
    "greatest((ended - started) / 1000000.0, coalesce(longest_ms, 0) / 1000.0) AS seconds, " +
    `greatest((ended - started) / 1000, coalesce(longest_ms, 0)::long) AS duration_ms${shown} ` +
    `FROM (${plain} UNION ALL ${windowed}) WHERE page_views + actions + clicks > 0`
  );
}

/**
 * The value that an event gives for a text of its visit. STRING, because first and last of a VARCHAR return wrong bytes when they are grouped
 * again (QuestDB 9.3.4).
 */
export function eventValueOf(text: VisitText): string {
  if (text === "entry_page" || text === "exit_page") return `CASE WHEN ${eventKinds.page_view} THEN path::string END`;
  if (text === visitorType) return "null::string";
  if (text === "referrer_group") return `CASE WHEN referrer_group != '${directGroup}' THEN referrer_group::string END`;
  return `${text}::string`;
}

const idsOfLinks: ReadonlySet<VisitText> = new Set(["session_id", "anonymous_id", "website_id"]);

/** Clicks on links carry the ids of their visit and nothing else about it. */
export function linkValueOf(text: VisitText): string {
  return idsOfLinks.has(text) ? `${text}::string` : "null::string";
}
