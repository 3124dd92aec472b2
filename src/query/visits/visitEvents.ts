import type { Bindings } from "../sql/bindings.ts";
import { findField } from "../sql/fields.ts";
import { allOf, filterSql } from "../sql/filters.ts";
import { type Access, accessTo, rowsOf } from "../sql/rowScope.ts";
import { eventValueOf, linkValueOf } from "./liveVisits.ts";
import { eventFilters, visitFilters } from "./splitFilters.ts";
import { textsOf, type VisitText, visitFigures } from "./visitColumns.ts";
import type { CutVisit, CutVisits } from "./visitSource.ts";
import { eventRange, type VisitNeed, type VisitScope, visitSourceOf, visitsSql } from "./visitsSql.ts";

/** Tables whose rows belong to visits. */
export type VisitTable = "events" | "outgoing_links";

type Conditions = readonly (string | undefined)[];

/**
 * The events that the filters of a question select, as the text after FROM, without joining them with their visits; further conditions follow
 * with AND. Undefined where that is not possible: where filters select visits, or where the edges of the range cut visits that are not known.
 */
export function plainEvents(
  scope: VisitScope,
  table: VisitTable,
  conditions: Conditions,
  bindings: Bindings,
): string | undefined {
  if (visitFilters(scope.filters).length > 0) return undefined;
  const { cut } = visitSourceOf(scope);
  const isNow = scope.isNow === true;
  if (!isNow && cut === undefined) return undefined;
  const { startMs, endMs } = scope.range;
  const ofCut = isNow || cut === undefined ? [] : cutConditions(cut, endMs);
  // QuestDB compiles neither the comparison of texts nor the look-up of a cut visit.
  const access = ofCut.length === 0 ? accessOf(scope, "grouped") : "index";
  const untilUs = isNow ? 0 : latest(cut?.atEnd ?? []);
  const range = { startMs, endMs: Math.max(endMs, Math.floor(untilUs / 1_000) + 1) };
  return allOf([
    rowsOf(table, { ...scope, range }, bindings, access),
    ...ofCut,
    ...conditions,
    filterSql(eventFilters(scope.filters), table, bindings),
  ]);
}

/** Where filters compare texts of events, a scan of all rows takes ten times as long as the index, even for a website with most of them. */
function accessOf(scope: VisitScope, rows: Parameters<typeof accessTo>[1]): Access {
  return eventFilters(scope.filters).length === 0 ? accessTo(scope, rows) : "index";
}

/** Without the rest of the visits that began before the range, and beyond the range only the rest of those that began in it. */
function cutConditions({ atStart, atEnd }: CutVisits, endMs: number): string[] {
  const before = `NOT (ts <= ${latest(atStart)} AND ts::long <= ${lastSql(atStart)})`;
  const after = `(ts < ${endMs}000 OR ts::long <= ${lastSql(atEnd)})`;
  return [...(atStart.length === 0 ? [] : [before]), ...(atEnd.length === 0 ? [] : [after])];
}

function latest(visits: readonly CutVisit[]): number {
  return visits.reduce((us, { lastUs }) => Math.max(us, lastUs), 0);
}

/** The end of the visit of a row's key among these; QuestDB finds it with one look-up. */
function lastSql(visits: readonly CutVisit[]): string {
  return `(CASE session_key ${visits.map(({ sessionKey, lastUs }) => `WHEN ${sessionKey} THEN ${lastUs}`).join(" ")} ELSE 0 END)`;
}

/** What is read of each event besides session_key, ts and visitor_key. */
export type EventValues = {
  /** Names and the SQL over the table of the events that gives them. */
  readonly values: Readonly<Record<string, string>>;
  /** Texts of its visit, which are named `visit_…`. */
  readonly texts: readonly VisitText[];
};

/**
 * The events that the filters of a question select, each with its visit, as a statement: session_key, ts, visitor_key, `began` and `last` (of
 * the visit, in Unix microseconds), `visit_visitor_key`, the values and the texts.
 */
export function eventsOfVisits(
  scope: VisitScope,
  table: VisitTable,
  { values, texts }: EventValues,
  conditions: Conditions,
  bindings: Bindings,
  visits = visitsSql(scope, texts, bindings),
): string {
  const rows = allOf([
    rowsOf(table, { ...scope, range: eventRange(scope) }, bindings, accessOf(scope, "taken")),
    "session_key != null",
    ...conditions,
    filterSql(eventFilters(scope.filters), table, bindings),
  ]);
  const given = Object.entries(values).map(([name, sql]) => `, ${sql} AS ${name}`);
  const names = Object.keys(values).map((name) => `, ${name}`);
  const ofVisit = texts.map((text) => `, ${text} AS visit_${text}`);
  return (
    `SELECT session_key, ts, event_visitor_key AS visitor_key, began, last, visit_visitor_key${names.join("")}` +
    `${texts.map((text) => `, visit_${text}`).join("")} FROM ` +
    `(SELECT session_key AS event_session_key, ts, visitor_key AS event_visitor_key${given.join("")} FROM ${rows}) JOIN ` +
    `(SELECT session_key, began, last, visitor_key AS visit_visitor_key${ofVisit.join("")} FROM (${visits})) ` +
    "ON event_session_key = session_key WHERE ts::long >= began AND ts::long <= last"
  );
}

/**
 * The events of no visit that the filters of a question select, those on visit fields by the events' own values, as a statement with the
 * columns of eventsOfVisits; `began` is their time.
 */
export function loneEvents(
  scope: VisitScope,
  table: VisitTable,
  { values, texts }: EventValues,
  conditions: Conditions,
  bindings: Bindings,
): string {
  const ofVisits = visitFilters(scope.filters);
  const filtered = textsOf(ofVisits.flatMap(({ field }) => findField("events", field) ?? []));
  const valueIn = table === "events" ? eventValueOf : linkValueOf;
  const rows = allOf([
    rowsOf(table, scope, bindings, accessOf(scope, "grouped")),
    "session_key = null",
    ...conditions,
    filterSql(eventFilters(scope.filters), table, bindings),
  ]);
  // What filters compare is named as in a visit, so values get other names until then.
  const given = [
    ...Object.values(values).map((sql, index) => `, ${sql} AS value${index}`),
    ...texts.map((text) => `, ${valueIn(text)} AS visit_${text}`),
    ...filtered.map((text) => `, ${valueIn(text)} AS ${text}`),
  ].join("");
  const names = [
    ...Object.keys(values).map((name, index) => `, value${index} AS ${name}`),
    ...texts.map((text) => `, visit_${text}`),
  ].join("");
  const selected = filterSql(ofVisits, "events", bindings);
  return (
    `SELECT session_key, ts, visitor_key, ts::long AS began, ts::long AS last, null::long AS visit_visitor_key${names} ` +
    `FROM (SELECT session_key, ts, visitor_key${given} FROM ${rows})${selected === undefined ? "" : ` WHERE ${selected}`}`
  );
}

/** The events that the filters of a question select, with these values, as the text after FROM; nothing may follow it with AND. */
export function selectedEvents(
  scope: VisitScope,
  table: VisitTable,
  values: EventValues["values"],
  conditions: Conditions,
  bindings: Bindings,
): string {
  const plain = plainEvents(scope, table, conditions, bindings);
  if (plain !== undefined) return plain;
  const asked = { values, texts: [] };
  const rows = [eventsOfVisits, loneEvents].map((read) => read(scope, table, asked, conditions, bindings));
  return `(${rows.join(" UNION ALL ")})`;
}

/** The visits of a question that its filters select, those on event fields too, as a statement like visitsSql. */
export function selectedVisits(
  scope: VisitScope,
  texts: readonly VisitText[],
  bindings: Bindings,
  need?: VisitNeed,
): string {
  const visits = visitsSql(scope, texts, bindings, need);
  const filters = eventFilters(scope.filters);
  if (filters.length === 0) return visits;
  const rows = allOf([
    rowsOf("events", { ...scope, range: eventRange(scope) }, bindings, "index"),
    "session_key != null AND event_type != 'page_exit'",
    filterSql(filters, "events", bindings),
  ]);
  // A visit is found once for each of its events.
  return (
    `SELECT DISTINCT ${[...visitFigures, ...texts].join(", ")} FROM (SELECT session_key AS event_session_key, ts AS event_ts FROM ${rows}) ` +
    `JOIN (${visits}) ON event_session_key = session_key WHERE event_ts::long >= began AND event_ts::long <= last`
  );
}
