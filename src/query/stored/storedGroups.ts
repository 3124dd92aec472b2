import { contextBit, contextColumns } from "../../aggregation/sessionContext.ts";
import type { Bindings } from "../bindings.ts";
import type { QueryType } from "../catalogue/queryType.ts";
import type { Field } from "../fields.ts";
import { isEmpty } from "../filters.ts";
import { countWhere, rowKinds } from "../measures.ts";
import type { ParameterPlan } from "../parameterPlan.ts";
import { rowsOf } from "../rowScope.ts";
import { sessionNumber } from "../sessionKeys.ts";
import { sessionsSource } from "../sessionsSource.ts";
import { isNearSql, type StoredSessions, storedRowsOf } from "./storedSessions.ts";

/** A part of the sessions of groups: what to count, `from` as the text after FROM, and the SQL of the group's values. */
export type SessionGroups = { readonly count: string; readonly from: string; readonly values: readonly string[] };

/** Which events count: conditions without text, which QuestDB compiles, and the others. */
export type EventConditions = { readonly compiled: readonly string[]; readonly others: readonly string[] };

/**
 * How stored sessions take part where sessions are counted by what their events tell: by their own columns, or by telling for each event
 * which session it belongs to, where only few events are asked about. Undefined where they do not help.
 */
export function groupingOf({ only, shape }: QueryType, dimensions: readonly Field[]): "columns" | "events" | undefined {
  if (only !== undefined) return rowKinds[only] === rowKinds.custom ? "events" : undefined;
  const areColumns = dimensions.length > 0 && dimensions.every((field) => bitOf(field) !== undefined);
  return areColumns && shape.kind === "table" && shape.withoutValue !== undefined ? "columns" : undefined;
}

/** The condition on stored sessions whose columns do not tell the groups of their events. */
export function untoldSql(type: QueryType, dimensions: readonly Field[]): string {
  if (groupingOf(type, dimensions) === "events") return "action_count > 0";
  const bits = dimensions.reduce((sum, field) => sum | (bitOf(field) ?? 0), 0);
  // Of one column it is enough to know which value there is besides none; of several, which go together.
  return dimensions.length === 1 ? `(varied & ${bits}) != 0` : `((varied | partly) & ${bits}) != 0`;
}

/**
 * The sessions of each group in parts that add up: `conditions` choose the events that count, of which the ends of page views are left
 * out. The values of groups are VARCHAR, null or empty without one. Where a part counts none the group may be none of the answer's.
 */
export function sessionGroups(
  plan: ParameterPlan,
  stored: StoredSessions,
  dimensions: readonly Field[],
  conditions: EventConditions,
  bindings: Bindings,
): SessionGroups[] {
  const parts = stored.windows.map((range) => {
    const live = sessionsSource({ ...plan, range }, [], undefined, bindings);
    const sessions = `SELECT session_key, began::long AS began, last::long AS last FROM ${live} WHERE ${isNearSql(stored.liveTimes)}`;
    return ofEvents({ ...plan, range }, sessions, dimensions, conditions, bindings);
  });
  const untold = untoldSql(plan.type, dimensions);
  if (groupingOf(plan.type, dimensions) === "columns")
    parts.push(...ofColumns(plan, stored, dimensions, bindings));
  if (stored.untold > 0) {
    // To the microsecond it is not known when a stored session was last active, but nothing of its key follows so soon.
    const sessions =
      "SELECT session_key, ts::long AS began, last_activity_ms * 1000 + 999 AS last " +
      `FROM ${storedRowsOf(plan, stored.liveTimes, bindings)} AND ${untold}`;
    parts.push(ofEvents(plan, sessions, dimensions, conditions, bindings));
  }
  return parts;
}

/** Events with the session that they belong to. */
function ofEvents(
  plan: ParameterPlan,
  sessions: string,
  dimensions: readonly Field[],
  { compiled, others }: EventConditions,
  bindings: Bindings,
): SessionGroups {
  const columns = new Set(["ts", "event_type", ...dimensions.map(({ column }) => column)]);
  const rows = rowsOf("events", plan, bindings, plan.isLarge ? "scan" : "index");
  const events =
    `SELECT session_key AS event_session_key, ${[...columns].join(", ")} ` +
    `FROM ${[rows, ...compiled].join(" AND ")} AND event_type != 'page_exit' AND session_key != null`;
  const isWithin = ["ts::long >= began", "ts::long <= last", ...others].join(" AND ");
  const groups = dimensions.map(({ column }, index) => `, ${column}::varchar AS g${index}`).join("");
  return {
    count: "count_distinct(session)",
    from:
      `(SELECT ts${groups}, ${sessionNumber("session_key", "began")} AS session FROM ` +
      `(${events}) JOIN (${sessions}) ON event_session_key = session_key WHERE ${isWithin})`,
    values: dimensions.map((_, index) => `g${index}`),
  };
}

/** Stored sessions by their own columns: those with a value, and those with a page view without one. */
function ofColumns(
  plan: ParameterPlan,
  stored: StoredSessions,
  dimensions: readonly Field[],
  bindings: Bindings,
): SessionGroups[] {
  const values = dimensions.map(({ column }) => `${column}::varchar`);
  const [first, ...others] = dimensions;
  const { shape } = plan.type;
  const isOnlyWithValue = shape.kind === "table" && shape.withoutValue === "none";
  if (first === undefined) throw new Error("sessions are counted by at least one column");
  const isTold = `NOT (${untoldSql(plan.type, dimensions)})`;
  const hasValue = `NOT ${isEmpty(first.column)}`;
  // Counted and not chosen, because QuestDB compiles no conditions on bits and text.
  const counted = (condition: string, of: readonly string[]): SessionGroups => ({
    count: countWhere(`${condition} AND ${isTold}`),
    from: storedRowsOf(plan, stored.liveTimes, bindings),
    values: of,
  });
  if (others.length > 0)
    return [counted(isOnlyWithValue ? hasValue : `(page_count > 0 OR ${hasValue})`, values)];
  const withValue = counted(hasValue, values);
  if (isOnlyWithValue) return [withValue];
  const lacksValue = `(page_count > 0 AND ${isEmpty(first.column)} OR (views_without & ${bitOf(first)}) != 0)`;
  return [withValue, counted(lacksValue, ["null::varchar"])];
}

function bitOf({ column }: Field): number | undefined {
  const known = contextColumns.find((name) => name === column);
  return known === undefined ? undefined : contextBit(known);
}
