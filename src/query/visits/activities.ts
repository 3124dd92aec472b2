import type { Bindings } from "../sql/bindings.ts";
import { filterSql } from "../sql/filters.ts";
import { eventKinds } from "../sql/measures.ts";
import { accessTo, rowsOf } from "../sql/rowScope.ts";
import { eventFilters } from "./splitFilters.ts";
import type { VisitText } from "./visitColumns.ts";
import { selectedVisits } from "./visitEvents.ts";
import { eventRange, type VisitScope, visitsSql } from "./visitsSql.ts";

/** What is read of each activity, by name: the SQL over events, and over outgoing links. */
export type ActivityValues = Readonly<Record<string, readonly [event: string, link: string]>>;

/**
 * The events, ends of page views and outgoing links of visits, as a statement: session_key, session_began (Unix microseconds), ts, visitor_key,
 * event_type (`link` for links), the values, and the given columns of the visits. `visits` is a statement like that of visitsSql.
 */
export function activitiesSql(
  scope: VisitScope,
  visits: string,
  values: ActivityValues,
  visitColumns: readonly string[],
  bindings: Bindings,
): string {
  const range = eventRange(scope);
  const rows = (table: "events" | "outgoing_links", kind: string, place: 0 | 1) => {
    const given = Object.entries(values).map(([name, sql]) => `, ${sql[place]} AS ${name}`);
    return (
      `SELECT session_key AS event_session_key, ts, visitor_key AS event_visitor_key, ${kind} AS event_type${given.join("")} ` +
      `FROM ${rowsOf(table, { ...scope, range }, bindings, accessTo(scope, "taken"))} AND session_key != null`
    );
  };
  const all = `${rows("events", "event_type::varchar", 0)} UNION ALL ${rows("outgoing_links", "'link'::varchar", 1)}`;
  const names = [...Object.keys(values), ...visitColumns].map((name) => `, ${name}`).join("");
  const ofVisits = visitColumns.map((name) => `, ${name}`).join("");
  return (
    `SELECT session_key, began AS session_began, ts, event_visitor_key AS visitor_key, event_type${names} FROM (${all}) JOIN ` +
    `(SELECT session_key, began, last${ofVisits} FROM (${visits})) ON event_session_key = session_key ` +
    "WHERE ts::long >= began AND ts::long <= last"
  );
}

/** 1 for events that the filters on event fields select, else 0. */
export function chosenSql({ filters }: VisitScope, bindings: Bindings): readonly [event: string, link: string] {
  const chosen = filterSql(eventFilters(filters), "events", bindings);
  return [chosen === undefined ? "1" : `CASE WHEN ${chosen} THEN 1 ELSE 0 END`, "0"];
}

/**
 * The selected visits with what only their events tell, as a statement: session_key, session_began, started and ended (TIMESTAMP), visitor_key,
 * page_views, unique_pages, actions, clicks, seconds, stored_events (rows of both tables), and the texts. `ofVisitors` selects the visits of
 * these visitors instead.
 */
export function visitRowsSql(
  scope: VisitScope,
  texts: readonly VisitText[],
  bindings: Bindings,
  ofVisitors?: readonly number[],
): string {
  const visits =
    ofVisitors === undefined
      ? selectedVisits(scope, texts, bindings)
      : `SELECT * FROM (${visitsSql({ ...scope, filters: [] }, texts, bindings)}) WHERE visitor_key IN (${bindings.bindAll(ofVisitors)})`;
  // The figures of a visit are the same in each of its rows.
  const figures = ["page_views", "actions", "clicks", "seconds"] as const;
  const named = `SELECT *, visitor_key AS visit_visitor_key FROM (${visits})`;
  const rows = activitiesSql(
    scope,
    named,
    { path: ["path", "path"] },
    ["started", "visit_visitor_key", ...figures, ...texts],
    bindings,
  );
  return (
    "SELECT session_key, session_began, min(started) AS started, max(ts) AS ended, max(visit_visitor_key) AS visitor_key, " +
    `${figures.map((name) => `max(${name}) AS ${name}`).join(", ")}, ` +
    `count_distinct(CASE WHEN ${eventKinds.page_view} THEN path END) AS unique_pages, count() AS stored_events` +
    `${texts.map((text) => `, first(${text}) AS ${text}`).join("")} FROM (${rows}) GROUP BY session_key, session_began`
  );
}
