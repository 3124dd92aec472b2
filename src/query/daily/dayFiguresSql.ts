import type { CountedType } from "../catalogue/queryType.ts";
import { relationRows } from "../shapes/measuredStatement.ts";
import type { Bindings } from "../sql/bindings.ts";
import { type Field, findField } from "../sql/fields.ts";
import { eventKinds, type MeasureName } from "../sql/measures.ts";
import { textsOf } from "../visits/visitColumns.ts";
import { loneEvents } from "../visits/visitEvents.ts";
import { type VisitScope, visitsSql } from "../visits/visitsSql.ts";
import type { DailyKind } from "./dailyKinds.ts";

/** The sums of a day, by the columns of daily_figures. */
export const figureColumns = [
  "page_views",
  "custom_events",
  "visitors",
  "sessions",
  "bounces",
  "seconds",
  "visit_page_views",
] as const;

type FigureColumn = (typeof figureColumns)[number];

/** The figures of a day, or sums of them. */
export type Figures = Readonly<Record<FigureColumn, number>>;

export function figuresOf(figure: (column: FigureColumn) => number): Figures {
  // Object.fromEntries forgets the names of the keys.
  return Object.fromEntries(figureColumns.map((column) => [column, figure(column)])) as Figures;
}

/**
 * The figures of some kinds within the range of a scope, as queries answer them: a statement with a row for each kind and value, with the
 * columns `kind` (its index among the kinds), `value` (empty for none) and figureColumns. Figures of visits are 0 where rows are grouped by
 * a field of events.
 *
 * Kinds of visits share one grouping: QuestDB takes longer to compile a grouping than to group the visits of most websites' days.
 */
export function dayFiguresSql(scope: VisitScope, kinds: readonly DailyKind[], bindings: Bindings): string {
  const indexed = kinds.map((kind, index) => ({ ...kind, index, found: fieldOf(kind) }));
  const ofVisits = indexed.filter(({ field, found }) => field === "total" || found?.isOfVisit === true);
  const ofEvents = indexed.filter((kind) => !ofVisits.includes(kind));
  return [
    ...(ofVisits.length === 0 ? [] : [figuresOfVisits(scope, ofVisits, bindings)]),
    ...ofEvents.map((kind) => figuresOfEvents(scope, kind, bindings)),
  ].join(" UNION ALL ");
}

type IndexedKind = DailyKind & { readonly index: number; readonly found: Field | undefined };

function fieldOf({ field }: DailyKind): Field | undefined {
  return field === "total" ? undefined : findField("events", field);
}

/** Each visit, and each event of no visit, once for each kind. */
function figuresOfVisits(scope: VisitScope, kinds: readonly IndexedKind[], bindings: Bindings): string {
  const texts = textsOf(kinds.flatMap(({ found }) => found ?? []));
  const names = texts.map((text) => `, ${text}`).join("");
  const lone = loneEvents(
    scope,
    "events",
    { values: { event_type: "event_type" }, texts },
    [eventKinds.visible],
    bindings,
  );
  const rows =
    `SELECT session_key, visitor_key, page_views, actions, CASE WHEN bounced THEN 1 ELSE 0 END AS bounces, seconds${names} ` +
    `FROM (${visitsSql(scope, texts, bindings)}) UNION ALL ` +
    `SELECT null::long AS session_key, null::long AS visitor_key, CASE WHEN ${eventKinds.page_view} THEN 1 ELSE 0 END AS page_views, ` +
    `CASE WHEN ${eventKinds.custom} THEN 1 ELSE 0 END AS actions, 0 AS bounces, 0.0 AS seconds` +
    `${texts.map((text) => `, visit_${text}::string AS ${text}`).join("")} FROM (${lone})`;
  const counting = (counted: DailyKind["counted"]) => kinds.filter((kind) => kind.counted === counted);
  const whole = kinds.filter(({ counted, field }) => counted === "all" || field !== "total");
  const sums: Readonly<Record<FigureColumn, string>> = {
    page_views: `sum(${onlyOf([...counting("all"), ...counting("page_view")], kinds, "page_views")})::long`,
    custom_events: `sum(${onlyOf([...counting("all"), ...counting("custom")], kinds, "actions")})::long`,
    visitors: "count_distinct(visitor_key)",
    sessions: "count(session_key)",
    bounces: `sum(${onlyOf(whole, kinds, "bounces")})::long`,
    seconds: `sum(${onlyOf(whole, kinds, "seconds")})::double`,
    visit_page_views: `sum(${onlyOf(whole, kinds, "CASE WHEN session_key != null THEN page_views ELSE 0 END")})::long`,
  };
  const values = kinds.map(({ index, found }) => `WHEN ${index} THEN ${labelOrNone(found)}`).join(" ");
  const indexes = kinds.map(({ index }) => index);
  const selected = [
    `kind IN (${indexes.join(", ")})`,
    ...notCounted(counting("page_view"), "page_views"),
    ...notCounted(counting("custom"), "actions"),
  ].join(" AND ");
  const each = `(${rows}) CROSS JOIN (SELECT (x - 1)::int AS kind FROM long_sequence(${Math.max(...indexes) + 1}))`;
  // A join is not grouped on all cores.
  const counted = indexes.length === 1 ? `(SELECT ${indexes.join()} AS kind, * FROM (${rows}))` : each;
  return (
    `SELECT kind, value::varchar AS value, ${figureColumns.join(", ")} FROM ` +
    `(SELECT kind, value, ${figureColumns.map((column) => `${sums[column]} AS ${column}`).join(", ")} FROM ` +
    `(SELECT *, coalesce(CASE kind ${values} END, '') AS value FROM ${counted}) WHERE ${selected} GROUP BY kind, value)`
  );
}

/** The text of a visit, null where it is the label of visits without one. */
function labelOrNone(found: Field | undefined): string {
  return found === undefined
    ? "''"
    : `CASE WHEN ${found.column} = '${found.whenEmpty}' THEN '' ELSE ${found.column} END`;
}

/** A figure that only some of the kinds have; 0 for the others. */
function onlyOf(some: readonly IndexedKind[], all: readonly IndexedKind[], sql: string): string {
  if (some.length === all.length) return sql;
  return some.length === 0
    ? "0"
    : `CASE WHEN kind IN (${some.map(({ index }) => index).join(", ")}) THEN ${sql} ELSE 0 END`;
}

/** Kinds of page views or custom events count only visits that have some. */
function notCounted(kinds: readonly IndexedKind[], column: string): string[] {
  return kinds.length === 0 ? [] : [`(${column} > 0 OR kind NOT IN (${kinds.map(({ index }) => index).join(", ")}))`];
}

/** The measures that give the columns of events. */
const eventMeasures = {
  page_views: "pageviews",
  custom_events: "custom_events",
  visitors: "visitors",
  sessions: "active_sessions",
} as const satisfies Partial<Record<FigureColumn, MeasureName>>;

function figuresOfEvents(scope: VisitScope, { counted, field, index, found }: IndexedKind, bindings: Bindings): string {
  if (field === "total") throw new Error("totals are figures of visits");
  const type: CountedType = {
    name: "daily_figures",
    table: "events",
    ...(counted === "all" ? {} : { only: counted }),
    shape: { kind: "table", dimensions: [field] },
  };
  const { page_views, custom_events, ...ofAny } = eventMeasures;
  const columns = {
    ...(counted === "custom" ? {} : { page_views }),
    ...(counted === "page_view" ? {} : { custom_events }),
    ...ofAny,
  };
  const given = Object.keys(columns);
  const { sql } = relationRows({ ...scope, type }, undefined, "events", Object.values(columns), bindings);
  const figures = figureColumns.map((column) => {
    const measure = given.indexOf(column);
    const figure = measure < 0 ? "0" : `coalesce(m${measure}, 0)`;
    return `${figure}::${column === "seconds" ? "double" : "long"} AS ${column}`;
  });
  const value = `CASE WHEN k0 = '${found?.whenEmpty ?? ""}' THEN ''::varchar ELSE k0::varchar END`;
  return `SELECT ${index} AS kind, ${value} AS value, ${figures.join(", ")} FROM (${sql})`;
}
