import { irregularBit } from "../../aggregation/sessionContext.ts";
import type { QueryType } from "../catalogue/queryType.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import { dimensionsOf } from "../shapes/groupedRows.ts";
import { measuresOf } from "../shapes/measuresOf.ts";
import type { Bindings } from "../sql/bindings.ts";
import type { Grouped } from "../sql/grouped.ts";
import { countWhere, eventKinds, type MeasureName } from "../sql/measures.ts";
import { accessTo, rowsOf } from "../sql/rowScope.ts";
import { timesSql } from "../sql/timesSql.ts";
import { type Ambiguity, bitAtSql, bitSql, isContextColumn } from "./ambiguousSessions.ts";
import { figuresFromEvents } from "./eventsOfSessions.ts";
import { storedRowsOf } from "./storedSessions.ts";

/**
 * Page views, visitors and sessions by a property that all events of a visitor usually share, taken from stored
 * sessions and idle times. The stored sessions of a website lie together, its events do not: counting the 27,600
 * sessions of a month takes half as long as counting their 84,000 events, and does not slow down as other websites
 * grow.
 *
 * Every page view has a session, and so has every event with a visitor (src/ingest/steps.ts). Ambiguous sessions and
 * everything near a live range are computed from events.
 */

/** From this share of the table's events on, reading all events on all cores is as fast as counting visitors on one. */
const maxShare = 0.05;

/** Columns of where a session came from: only its first page has them, while nearly all its events share the others. */
const arrivalColumns: ReadonlySet<string> = new Set([
  "referrer_group",
  "referrer_source",
  "utm_source",
  "utm_campaign",
]);

/** How each measure is computed from rows with `visitor`, `pageviews` and `sessions`. */
const measureSql: { readonly [N in MeasureName]?: string } = {
  visitors: "count_distinct(visitor)",
  pageviews: "sum(pageviews)",
  active_sessions: "sum(sessions)",
};

/** Whether all measures of a query type can be computed from stored sessions. */
export function coversFigures({ type, eventShare = 0 }: Pick<ParameterPlan, "type" | "eventShare">): boolean {
  const { shape, only } = type;
  if (only !== undefined || shape.kind !== "table" || shape.withoutValue === undefined || eventShare >= maxShare)
    return false;
  const [dimension, second] = dimensionsOf(type);
  if (dimension === undefined || second !== undefined) return false;
  if (!isContextColumn(dimension.column) || arrivalColumns.has(dimension.column)) return false;
  return measuresOf(type).every((name) => name in measureSql);
}

/**
 * The conditions for stored sessions and idle times whose events may count in several groups of the type's
 * dimension.
 */
export function ambiguityOfFigures(type: QueryType): Ambiguity {
  const { column } = dimensionOf(type);
  const [stray, varied, without] = [bitAtSql(irregularBit), bitSql(column, "varied"), bitSql(column, "viewsWithout")];
  // The page_exit events of an idle time all have one value unless the irregular bit is set.
  return {
    isAmbiguous: `(${stray} = 1 OR ${without} = 1 OR (${varied} = 1 AND idle_until_ms = null))`,
    isUnambiguous: `${stray} = 0 AND ${without} = 0 AND (${varied} = 0 OR idle_until_ms != null)`,
    withIdleTimes: true,
  };
}

/**
 * The statements for the measures of a type by its dimension. `plan.stored` must have recompute ranges; values are
 * bound to `bindings`.
 */
export function storedFigures(plan: ParameterPlan, names: readonly MeasureName[], bindings: Bindings): Grouped {
  const { stored } = plan;
  if (stored?.recomputeRanges === undefined) throw new Error("stored figures need recompute ranges");
  const dimension = dimensionOf(plan.type);
  const ambiguity = ambiguityOfFigures(plan.type);
  const counts = (isView: string) =>
    dimension.isOnlyWithValue ? `${dimension.column} IS NOT NULL` : `(${isView} OR ${dimension.column} IS NOT NULL)`;
  const label = (value: string) => `coalesce(${value}, '${dimension.whenEmpty}')::string AS k0`;

  const rows = storedRowsOf(
    plan,
    stored.liveRanges,
    bindings,
    [ambiguity.isUnambiguous, counts("page_count > 0")],
    true,
  );
  const isSession = "CASE WHEN last_activity_ms = null THEN 0 ELSE 1 END";
  const recomputed = [
    rowsOf("events", plan, bindings, accessTo(plan, "taken")),
    timesSql(stored.recomputeRanges),
    counts(eventKinds.page_view),
  ].join(" AND ");

  const figures = `count_distinct(session) AS sessions, ${countWhere(eventKinds.page_view)} AS pageviews`;
  const grouping = { buckets: undefined, dimensions: [dimension], conditions: [counts(eventKinds.page_view)] };
  const groups = figuresFromEvents(plan, stored, ambiguity.isAmbiguous, figures, grouping, bindings);
  const parts = [
    `SELECT ${label(dimension.column)}, visitor_key AS visitor, page_count AS pageviews, ${isSession} AS sessions FROM ${rows}`,
    // Adds the visitors of recomputed ranges; page views are added with their sessions below.
    `SELECT ${label(dimension.column)}, visitor_key AS visitor, 0::long AS pageviews, 0 AS sessions FROM ${recomputed}`,
    ...groups.map((group) => `SELECT ${label("g0")}, null::long AS visitor, pageviews, sessions FROM (${group})`),
  ];
  const measured = names.map((name, index) => `${measureSql[name]} AS m${index}`).join(", ");
  const sql = `SELECT k0, ${measured} FROM (${parts.join(" UNION ALL ")}) GROUP BY k0`;
  // Texts of a SYMBOL are STRING, but answers are sorted as VARCHAR everywhere else.
  return {
    sql: `SELECT k0::varchar AS k0, ${names.map((_, index) => `m${index}`).join(", ")} FROM (${sql})`,
    keys: ["k0"],
  };
}

function dimensionOf(type: QueryType) {
  const [field] = dimensionsOf(type);
  const { column, whenEmpty } = field ?? {};
  if (field === undefined || column === undefined || whenEmpty === undefined || !isContextColumn(column))
    throw new Error(`query type ${type.name} has no column that stored sessions have`);
  return {
    ...field,
    column,
    whenEmpty,
    isOnlyWithValue: type.shape.kind === "table" && type.shape.withoutValue === "none",
  };
}
