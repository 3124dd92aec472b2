import { strayBit } from "../../aggregation/sessionContext.ts";
import type { QueryType } from "../catalogue/queryType.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import { dimensionsOf } from "../shapes/groupedRows.ts";
import { measuresOf } from "../shapes/measuresOf.ts";
import type { Bindings } from "../sql/bindings.ts";
import type { Grouped } from "../sql/grouped.ts";
import { countWhere, eventKinds, type MeasureName } from "../sql/measures.ts";
import { accessTo, rowsOf } from "../sql/rowScope.ts";
import { timesSql } from "../sql/timesSql.ts";
import { ofUntoldSessions } from "./eventsOfSessions.ts";
import { storedRowsOf } from "./storedSessions.ts";
import { bitAtSql, bitSql, isContextColumn, type Untold } from "./untold.ts";

/**
 * Page views, visitors and sessions by what all events of a visitor tell, taken from stored sessions and idle times. A website's stored sessions
 * lie together and its events do not: the 27,600 sessions of a month are so counted in half of the time that takes the 84,000 events,
 * and it does not grow with what other websites have.
 *
 * Every page view has a session, and so has every event with a visitor (src/ingest/steps.ts). Of sessions that do not tell where all their
 * events count, and of what comes near a live time, the events are asked.
 */

/** From this share of the events on, reading all of them on all cores is as fast as putting visitors together on one. */
const mostShare = 0.05;

/** Columns of where a session came from, which only its first page tells. Of the others nearly all its events tell the same. */
const arrivalColumns: ReadonlySet<string> = new Set([
  "referrer_group",
  "referrer_source",
  "utm_source",
  "utm_campaign",
]);

/** What each measure is taken of: rows with `visitor`, `pageviews` and `sessions`. */
const told: { readonly [N in MeasureName]?: string } = {
  visitors: "count_distinct(visitor)",
  pageviews: "sum(pageviews)",
  active_sessions: "sum(sessions)",
};

/** Whether stored sessions tell all measures of a type of which these are the websites. */
export function tellsFigures({ type, eventShare = 0 }: Pick<ParameterPlan, "type" | "eventShare">): boolean {
  const { shape, only } = type;
  if (only !== undefined || shape.kind !== "table" || shape.withoutValue === undefined || eventShare >= mostShare)
    return false;
  const [dimension, second] = dimensionsOf(type);
  if (dimension === undefined || second !== undefined) return false;
  if (!isContextColumn(dimension.column) || arrivalColumns.has(dimension.column)) return false;
  return measuresOf(type).every((name) => name in told);
}

/** Which stored sessions and idle times tell where all their events count. */
export function untoldOfFigures(type: QueryType): Untold {
  const { column } = dimensionOf(type);
  const [stray, varied, without] = [bitAtSql(strayBit), bitSql(column, "varied"), bitSql(column, "viewsWithout")];
  // The ends of page views that make idle time have one value where it is not stray.
  return {
    isUntold: `(${stray} = 1 OR ${without} = 1 OR (${varied} = 1 AND idle_until_ms = null))`,
    isTold: `${stray} = 0 AND ${without} = 0 AND (${varied} = 0 OR idle_until_ms != null)`,
    withIdleTimes: true,
  };
}

/** The measures of a type by its dimension, where `plan.stored` has loose times. */
export function storedFigures(plan: ParameterPlan, names: readonly MeasureName[], bindings: Bindings): Grouped {
  const { stored } = plan;
  if (stored?.looseTimes === undefined) throw new Error("figures are told where loose times are known");
  const dimension = dimensionOf(plan.type);
  const untold = untoldOfFigures(plan.type);
  const counts = (isView: string) =>
    dimension.isOnlyWithValue ? `${dimension.column} IS NOT NULL` : `(${isView} OR ${dimension.column} IS NOT NULL)`;
  const label = (value: string) => `coalesce(${value}, '${dimension.whenEmpty}')::string AS k0`;

  const rows = storedRowsOf(plan, stored.liveTimes, bindings, [untold.isTold, counts("page_count > 0")], true);
  const isSession = "CASE WHEN last_activity_ms = null THEN 0 ELSE 1 END";
  const loose = [
    rowsOf("events", plan, bindings, accessTo(plan, "taken")),
    timesSql(stored.looseTimes),
    counts(eventKinds.page_view),
  ].join(" AND ");

  const figures = `count_distinct(session) AS sessions, ${countWhere(eventKinds.page_view)} AS pageviews`;
  const grouping = { buckets: undefined, dimensions: [dimension], conditions: [counts(eventKinds.page_view)] };
  const groups = ofUntoldSessions(plan, stored, untold.isUntold, figures, grouping, bindings);
  const parts = [
    `SELECT ${label(dimension.column)}, visitor_key AS visitor, page_count AS pageviews, ${isSession} AS sessions FROM ${rows}`,
    // Whose events lie there is known to be a visitor; the events are counted with their sessions.
    `SELECT ${label(dimension.column)}, visitor_key AS visitor, 0::long AS pageviews, 0 AS sessions FROM ${loose}`,
    ...groups.map((group) => `SELECT ${label("g0")}, null::long AS visitor, pageviews, sessions FROM (${group})`),
  ];
  const measured = names.map((name, index) => `${told[name]} AS m${index}`).join(", ");
  const sql = `SELECT k0, ${measured} FROM (${parts.join(" UNION ALL ")}) GROUP BY k0`;
  // Texts of a SYMBOL are STRING; in an answer's order they are to be compared as VARCHAR, as everywhere.
  return {
    sql: `SELECT k0::varchar AS k0, ${names.map((_, index) => `m${index}`).join(", ")} FROM (${sql})`,
    keys: ["k0"],
  };
}

function dimensionOf(type: QueryType) {
  const [field] = dimensionsOf(type);
  const { column, whenEmpty } = field ?? {};
  if (field === undefined || column === undefined || whenEmpty === undefined || !isContextColumn(column))
    throw new Error(`query type ${type.name} has no column that stored sessions tell`);
  return {
    ...field,
    column,
    whenEmpty,
    isOnlyWithValue: type.shape.kind === "table" && type.shape.withoutValue === "none",
  };
}
