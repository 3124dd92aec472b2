import { relationRows } from "../answer/measuredStatement.ts";
import type { QueryType } from "../catalogue/queryType.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { Bindings } from "../sql/bindings.ts";
import { findField } from "../sql/fields.ts";
import type { MeasureName } from "../sql/measures.ts";
import type { VisitScope } from "../visits/visitsSql.ts";
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

export type FigureColumn = (typeof figureColumns)[number];

/** The measures that give the columns: of events, and of the visits by themselves. */
const ofEvents = {
  page_views: "pageviews",
  custom_events: "custom_events",
  visitors: "visitors",
  sessions: "active_sessions",
} as const satisfies Partial<Record<FigureColumn, MeasureName>>;
const ofVisits = {
  bounces: "bounces",
  seconds: "session_seconds",
  visit_page_views: "session_page_views",
} as const satisfies Partial<Record<FigureColumn, MeasureName>>;

/**
 * The figures of a kind within the range of a scope, computed as queries answer them: a row for each value with the columns `value` (empty
 * for none) and figureColumns. Figures of visits are 0 where rows are grouped by a field of events.
 */
export function dayFiguresSql(scope: VisitScope, kind: DailyKind, bindings: Bindings): string {
  const { counted, field } = kind;
  const type: QueryType = {
    name: "daily_figures",
    title: "",
    description: "",
    category: "summary",
    isPublic: false,
    table: "events",
    ...(counted === "all" ? {} : { only: counted }),
    shape: field === "total" ? { kind: "summary" } : { kind: "table", dimensions: [field] },
    fields: [],
    defaultLimit: 0,
  };
  const plan: Pick<ParameterPlan, "type"> & VisitScope = { ...scope, type };
  const found = field === "total" ? undefined : findField("events", field);
  const none = found?.whenEmpty ?? "";
  const value = field === "total" ? "''::varchar" : `CASE WHEN k0 = '${none}' THEN ''::varchar ELSE k0::varchar END`;
  const isOfVisits = field === "total" ? counted === "all" : found?.isOfVisit === true;
  const part = (relation: "events" | "sessions", columns: Readonly<Partial<Record<FigureColumn, MeasureName>>>) => {
    const names = Object.values(columns);
    const { sql } = relationRows(plan, undefined, relation, names, bindings);
    const given = Object.keys(columns);
    const figures = figureColumns.map((column) => {
      const index = given.indexOf(column);
      const figure = index < 0 ? "0" : `coalesce(m${index}, 0)`;
      return column === "seconds" ? `${figure}::double AS seconds` : `${figure}::long AS ${column}`;
    });
    return `SELECT ${value} AS value, ${figures.join(", ")} FROM (${sql})`;
  };
  const { page_views, custom_events, ...ofAny } = ofEvents;
  const counts = {
    ...(counted === "custom" ? {} : { page_views }),
    ...(counted === "page_view" ? {} : { custom_events }),
    ...ofAny,
  };
  const parts = [part("events", counts), ...(isOfVisits ? [part("sessions", ofVisits)] : [])];
  const sums = figureColumns.map((column) => `sum(${column}) AS ${column}`).join(", ");
  return `SELECT value, ${sums} FROM (${parts.join(" UNION ALL ")}) GROUP BY value`;
}
