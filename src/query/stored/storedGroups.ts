import { contextBit, contextColumns } from "../../aggregation/sessionContext.ts";
import type { Bindings } from "../bindings.ts";
import { bucketSql } from "../bucketSql.ts";
import type { Buckets } from "../buckets.ts";
import type { QueryType } from "../catalogue/queryType.ts";
import type { Field } from "../fields.ts";
import { isEmpty } from "../filters.ts";
import { countWhere, rowKinds } from "../measures.ts";
import type { ParameterPlan } from "../parameterPlan.ts";
import { rowsOf } from "../rowScope.ts";
import { sessionNumber } from "../sessionKeys.ts";
import { sessionsSource } from "../sessionsSource.ts";
import { isNearSql, type StoredSessions, storedRowsOf } from "./storedSessions.ts";

/** Which events count: conditions without text, which QuestDB compiles, and the others. */
type EventConditions = { readonly compiled: readonly string[]; readonly others: readonly string[] };

/** What groups are made of, and the events that make a session count in one. */
export type Grouping = {
  readonly buckets: Buckets | undefined;
  readonly dimensions: readonly Field[];
  readonly conditions: EventConditions;
};

/**
 * How stored sessions take part where sessions are counted by what their events tell: by their own columns, or by telling for each event
 * which session it belongs to, where only few events are asked about. Undefined where they do not help.
 */
export function groupingOf({ only, shape }: QueryType, dimensions: readonly Field[]): "columns" | "events" | undefined {
  if (only !== undefined) return rowKinds[only] === rowKinds.custom ? "events" : undefined;
  const areColumns = dimensions.length > 0 && dimensions.every((field) => bitOf(field) !== undefined);
  return areColumns && shape.kind === "table" && shape.withoutValue !== undefined ? "columns" : undefined;
}

/** A condition on stored sessions, and one that QuestDB compiles and that is true wherever it is. */
export type Untold = { readonly sql: string; readonly compiled: string };

/** Stored sessions whose columns do not tell the groups of their events. */
export function untoldSql(type: QueryType, dimensions: readonly Field[]): Untold {
  if (groupingOf(type, dimensions) === "events") return { sql: "action_count > 0", compiled: "action_count > 0" };
  const bits = dimensions.reduce((sum, field) => sum | (bitOf(field) ?? 0), 0);
  // Of one column it is enough to know which value there is besides none; of several, which go together.
  return dimensions.length === 1
    ? { sql: `(varied & ${bits}) != 0`, compiled: "varied != 0" }
    : { sql: `((varied | partly) & ${bits}) != 0`, compiled: "(varied != 0 OR partly != 0)" };
}

/**
 * The sessions of each group, as statements whose rows add up: `bucket` in a series, the values g0, g1 … of the dimensions (null or empty
 * without one), and `sessions`. Ends of page views do not make a session count. A row with no session may be of no group at all.
 */
export function sessionGroups(
  plan: ParameterPlan,
  stored: StoredSessions,
  grouping: Grouping,
  bindings: Bindings,
): string[] {
  const parts = stored.windows.map((range) => {
    const live = sessionsSource({ ...plan, range }, [], undefined, bindings);
    const sessions = `SELECT session_key, began::long AS began, last::long AS last FROM ${live} WHERE ${isNearSql(stored.liveTimes)}`;
    return ofEvents({ ...plan, range }, sessions, [], grouping, bindings);
  });
  if (groupingOf(plan.type, grouping.dimensions) === "columns")
    parts.push(...ofColumns(plan, stored, grouping.dimensions, bindings));
  if (stored.untold > 0) {
    // To the microsecond it is not known when a stored session was last active, but nothing of its key follows so soon.
    const { sql, compiled } = untoldSql(plan.type, grouping.dimensions);
    const sessions =
      `SELECT session_key, ts::long AS began, last_activity_ms * 1000 + 999 AS last, CASE WHEN ${sql} THEN 1 ELSE 0 END AS untold ` +
      `FROM ${storedRowsOf(plan, stored.liveTimes, bindings)} AND ${compiled}`;
    parts.push(ofEvents(plan, sessions, ["untold = 1"], grouping, bindings));
  }
  return parts;
}

/** By events with the session that each belongs to. `isCounted` chooses sessions. */
function ofEvents(
  plan: ParameterPlan,
  sessions: string,
  isCounted: readonly string[],
  { buckets, dimensions, conditions }: Grouping,
  bindings: Bindings,
): string {
  const columns = new Set(["ts", "event_type", ...dimensions.map(({ column }) => column)]);
  const rows = rowsOf("events", plan, bindings, plan.isLarge ? "scan" : "index");
  const events =
    `SELECT session_key AS event_session_key, ${[...columns].join(", ")} ` +
    `FROM ${[rows, ...conditions.compiled].join(" AND ")} AND event_type != 'page_exit' AND session_key != null`;
  const groups = [
    ...(buckets === undefined ? [] : [`${bucketSql(buckets, "ts")} AS bucket`]),
    // A session with rows of both kinds without a value counts once.
    ...dimensions.map(({ column, isSymbol }, index) => `${isSymbol ? column : `nullif(${column}, '')`} AS g${index}`),
  ];
  // As conditions QuestDB would move these into the scan of all websites' rows, which it then does not compile.
  const counted = [...conditions.others, ...isCounted].join(" AND ");
  const session = sessionNumber("session_key", "began");
  const found =
    `SELECT ${[...groups, `${counted === "" ? session : `CASE WHEN ${counted} THEN ${session} ELSE null END`} AS session`].join(", ")} ` +
    `FROM (${events}) JOIN (${sessions}) ON event_session_key = session_key WHERE ts::long >= began AND ts::long <= last`;
  const keys = [...(buckets === undefined ? [] : ["bucket"]), ...dimensions.map((_, index) => `g${index}`)];
  const by = keys.length === 0 ? "" : ` GROUP BY ${keys.join(", ")}`;
  return `SELECT ${[...keys, "count_distinct(session) AS sessions"].join(", ")} FROM (${found})${by}`;
}

/** By the columns of stored sessions: those with a value, and those with a page view without one. */
function ofColumns(
  plan: ParameterPlan,
  stored: StoredSessions,
  dimensions: readonly Field[],
  bindings: Bindings,
): string[] {
  const [first, ...others] = dimensions;
  if (first === undefined) throw new Error("sessions are counted by at least one column");
  const { shape } = plan.type;
  const isTold = `NOT (${untoldSql(plan.type, dimensions).sql})`;
  const hasValue = `NOT ${isEmpty(first.column)}`;
  const isOnlyWithValue = shape.kind === "table" && shape.withoutValue === "none";
  // Counted and not chosen, because QuestDB compiles no conditions on bits and text.
  const counted = (condition: string) => `${countWhere(`${condition} AND ${isTold}`)} AS sessions`;
  const rows = () => storedRowsOf(plan, stored.liveTimes, bindings);
  const groups = dimensions.map(({ column }, index) => `${column} AS g${index}`).join(", ");
  const by = `GROUP BY ${dimensions.map((_, index) => `g${index}`).join(", ")}`;
  if (isOnlyWithValue || others.length > 0) {
    const condition = isOnlyWithValue ? hasValue : `(page_count > 0 OR ${hasValue})`;
    return [`SELECT ${groups}, ${counted(condition)} FROM ${rows()} ${by}`];
  }
  const lacksValue = `(page_count > 0 AND ${isEmpty(first.column)} OR (views_without & ${bitOf(first)}) != 0)`;
  return [
    `SELECT ${groups}, ${counted(hasValue)} FROM ${rows()} ${by}`,
    `SELECT null::varchar AS g0, sessions FROM (SELECT ${counted(lacksValue)} FROM ${rows()})`,
  ];
}

function bitOf({ column }: Field): number | undefined {
  const known = contextColumns.find((name) => name === column);
  return known === undefined ? undefined : contextBit(known);
}
