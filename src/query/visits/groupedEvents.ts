import { columnsOfTable } from "../../store/questdb/tables.ts";
import type { CountedType, QueryType } from "../catalogue/queryType.ts";
import { dimensionsOf, only, requiredDimension } from "../catalogue/typeParts.ts";
import type { Bindings } from "../sql/bindings.ts";
import { bucketSql } from "../sql/bucketSql.ts";
import type { Buckets } from "../sql/buckets.ts";
import type { Field } from "../sql/fields.ts";
import { type Grouped, groupedBy, labelled, labelledGroups, measureSql } from "../sql/grouped.ts";
import { countWhere, eventKinds, type MeasureName } from "../sql/measures.ts";
import { sessionNumber } from "./sessionKeys.ts";
import { eventFilters } from "./splitFilters.ts";
import { textsOf } from "./visitColumns.ts";
import { eventsOfVisits, loneEvents, plainEvents, type VisitTable } from "./visitEvents.ts";
import { type VisitNeed, type VisitScope, visitsSql } from "./visitsSql.ts";

/** A type of figures, and the visits and events that it counts. */
type VisitQuestion = VisitScope & { readonly type: CountedType };

/**
 * Measures over events or outgoing links, by the bucket in which their visit began and by the type's dimensions, in one of three ways, the
 * cheapest that answers the question:
 *
 * - from visits alone, which know how many page views and custom events they have, if nothing selects or groups events;
 * - from events alone, if nothing is asked about their visits;
 * - from events joined with their visits.
 */
export function groupedEvents(
  plan: VisitQuestion,
  buckets: Buckets | undefined,
  table: VisitTable,
  names: readonly MeasureName[],
  bindings: Bindings,
): Grouped {
  if (isOfVisits(plan, buckets, table, names)) return groupedVisits(plan, buckets, names, bindings);
  const { type } = plan;
  const dimensions = dimensionsOf(type);
  const conditions = conditionsOf(type, table);
  const asksVisits = dimensions.some(({ isOfVisit }) => isOfVisit) || names.some((name) => name in countsOfVisits);
  const plain =
    asksVisits || (buckets !== undefined && plan.isNow !== true)
      ? undefined
      : plainEvents(plan, table, conditions, bindings);
  if (plain !== undefined) return labelledGroups(buckets, dimensions, table, names, plain);
  return groupedJoin(plan, buckets, table, names, dimensions, conditions, bindings);
}

/** What the rows of visits give for figures of events, and what events of no visit add to them. */
const figuresOfVisits: Partial<Record<MeasureName, { readonly sql: string; readonly lone: string }>> = {
  pageviews: { sql: "sum(page_views)", lone: countWhere(eventKinds.page_view) },
  custom_events: { sql: "sum(actions)", lone: countWhere(eventKinds.custom) },
  total_events: { sql: "sum(page_views + actions)", lone: "count()" },
  visitors: { sql: "count_distinct(visitor_key)", lone: "" },
  active_sessions: { sql: "count(session_key)", lone: "" },
};

/** Figures of events that count their visits. */
const countsOfVisits: Partial<Record<MeasureName, true>> = { active_sessions: true, click_sessions: true };

const needs: Partial<Record<NonNullable<QueryType["only"]>, VisitNeed>> = {
  page_view: "pageViews",
  custom: "actions",
};

function isOfVisits(
  { type, filters, isNow }: VisitQuestion,
  buckets: Buckets | undefined,
  table: VisitTable,
  names: readonly MeasureName[],
): boolean {
  return (
    table === "events" &&
    (type.only === undefined || type.only in needs) &&
    names.every((name) => name in figuresOfVisits) &&
    dimensionsOf(type).every(({ isOfVisit }) => isOfVisit) &&
    eventFilters(filters).length === 0 &&
    !(isNow === true && (buckets !== undefined || names.some((name) => figuresOfVisits[name]?.lone !== "")))
  );
}

function groupedVisits(
  plan: VisitQuestion,
  buckets: Buckets | undefined,
  names: readonly MeasureName[],
  bindings: Bindings,
): Grouped {
  const { type } = plan;
  const dimensions = dimensionsOf(type);
  const texts = textsOf(dimensions);
  const keysOf = (time: string, prefix: string) => [
    ...(buckets === undefined ? [] : [bucketSql(buckets, time)]),
    ...dimensions.map(({ column, whenEmpty }) => textLabel(`${prefix}${column}`, whenEmpty)),
  ];
  const required = requiredDimension(type);
  const hasValue = (prefix: string) => (required === undefined ? "" : ` WHERE ${prefix}${required.column} IS NOT NULL`);
  const need = type.only === undefined ? undefined : needs[type.only];
  const ofVisits = groupedBy(
    keysOf("started", ""),
    names.map((name, index) => `${figuresOfVisits[name]?.sql} AS m${index}`),
    `(${visitsSql(plan, texts, bindings, need)})${hasValue("")}`,
  );
  if (names.every((name) => figuresOfVisits[name]?.lone === "")) return ofVisits;
  const lone = loneEvents(
    plan,
    "events",
    { values: { event_type: "event_type" }, texts },
    [only(type, "events") ?? eventKinds.visible],
    bindings,
  );
  const ofNone = groupedBy(
    keysOf("ts", "visit_"),
    names.map((name, index) => `${figuresOfVisits[name]?.lone || "0::long"} AS m${index}`),
    `(${lone})${hasValue("visit_")}`,
  );
  return groupedBy(
    ofVisits.keys,
    names.map((_, index) => `sum(m${index}) AS m${index}`),
    `(${ofVisits.sql} UNION ALL ${ofNone.sql})`,
  );
}

function groupedJoin(
  plan: VisitQuestion,
  buckets: Buckets | undefined,
  table: VisitTable,
  names: readonly MeasureName[],
  dimensions: readonly Field[],
  conditions: readonly (string | undefined)[],
  bindings: Bindings,
): Grouped {
  const texts = textsOf(dimensions.filter(({ isOfVisit }) => isOfVisit));
  const isOfEvents = dimensions.some(({ isOfVisit }) => isOfVisit !== true);
  const measures = names.map((name) => {
    if (name in countsOfVisits) return `count_distinct(${sessionNumber("session_key", "began")})`;
    return name === "visitors" && !isOfEvents ? "count_distinct(visit_visitor_key)" : measureSql(name, buckets);
  });
  const values = Object.fromEntries([
    ...Object.keys(columnsOfTable[table])
      .filter((column) => !joined.has(column) && measures.some((sql) => new RegExp(`\\b${column}\\b`).test(sql)))
      .map((column) => [column, column]),
    ...dimensions.flatMap((field, index) => (field.isOfVisit === true ? [] : [[`d${index}`, labelled(field)]])),
  ]) as Record<string, string>;
  const keys = [
    ...(buckets === undefined ? [] : [bucketSql(buckets, plan.isNow === true ? "ts" : "began")]),
    ...dimensions.map(({ isOfVisit, column, whenEmpty }, index) =>
      isOfVisit === true ? textLabel(`visit_${column}`, whenEmpty) : `d${index}::string::varchar`,
    ),
  ];
  const required = requiredDimension(plan.type);
  const hasValue = required?.isOfVisit === true ? ` WHERE visit_${required.column} IS NOT NULL` : "";
  const asked = { values, texts };
  const rows = [
    eventsOfVisits(plan, table, asked, conditions, bindings),
    loneEvents(plan, table, asked, conditions, bindings),
  ];
  return groupedBy(
    keys,
    measures.map((sql, index) => `${sql} AS m${index}`),
    `(${rows.join(" UNION ALL ")})${hasValue}`,
  );
}

/** Columns that joined events always have. */
const joined: ReadonlySet<string> = new Set(["ts", "session_key", "visitor_key"]);

/**
 * The label of a text of visits. QuestDB 9.3.4 treats a VARCHAR read from Parquet as different from an equal one written as a line, when it
 * groups more than two figures; texts of visits are STRING, and VARCHAR is what answers are sorted by.
 */
export function textLabel(column: string, whenEmpty: string): string {
  return `coalesce(${column}, '${whenEmpty}')::varchar`;
}

/** Which events count: those of the type's kind, with a value of the first dimension where one is needed. The end of a page view is none. */
export function conditionsOf(type: CountedType, table: VisitTable): readonly (string | undefined)[] {
  const required = requiredDimension(type);
  return [
    only(type, table) ?? (table === "events" ? "event_type != 'page_exit'" : undefined),
    required === undefined || required.isOfVisit === true ? undefined : `${required.column} IS NOT NULL`,
  ];
}
