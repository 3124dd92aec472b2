import type { Bindings } from "../bindings.ts";
import { bucketSql } from "../bucketSql.ts";
import type { Buckets } from "../buckets.ts";
import type { QueryType } from "../catalogue/queryType.ts";
import type { TimeRange } from "../dates.ts";
import type { Field } from "../fields.ts";
import { rowKinds } from "../measures.ts";
import type { ParameterPlan } from "../parameterPlan.ts";
import { accessTo, rowsOf } from "../rowScope.ts";
import { sessionNumber } from "../sessionKeys.ts";
import { sessionsSource } from "../sessionsSource.ts";
import { timesSql } from "../timesSql.ts";
import { sessionsByColumns } from "./sessionsByColumns.ts";
import { isNearSql, type StoredSessions, storedRowsOf } from "./storedSessions.ts";
import { isContextColumn, untoldOfFields } from "./untold.ts";

/** What groups are made of, and the events that make a session count in one. */
export type Grouping = {
  readonly buckets: Buckets | undefined;
  readonly dimensions: readonly Field[];
  readonly conditions: readonly string[];
};

/**
 * How stored sessions take part where sessions are counted by what their events tell: by their own columns, or by telling for each event
 * which session it belongs to, where only few events are asked about. Undefined where they do not help.
 */
export function groupingOf({ only, shape }: QueryType, dimensions: readonly Field[]): "columns" | "events" | undefined {
  if (only !== undefined) return rowKinds[only] === rowKinds.custom ? "events" : undefined;
  const areColumns = dimensions.length > 0 && dimensions.every(({ column }) => isContextColumn(column));
  return areColumns && shape.kind === "table" && shape.withoutValue !== undefined ? "columns" : undefined;
}

/**
 * The sessions of each group, as statements whose rows add up: `bucket` in a series, the values g0, g1 … of the dimensions (null or empty
 * without one), and `sessions`. Ends of page views do not make a session count. A row with no session may be of no group at all.
 *
 * Grouped by `events` they are what must be added to the distinct session keys of the group.
 */
export function sessionGroups(
  plan: ParameterPlan,
  stored: StoredSessions,
  grouping: Grouping,
  bindings: Bindings,
): string[] {
  const live = (range: TimeRange) =>
    `SELECT session_key, began::long AS began, last::long AS last FROM ${sessionsSource({ ...plan, range }, [], undefined, bindings)} ` +
    `WHERE ${isNearSql(stored.liveTimes)}`;
  if (groupingOf(plan.type, grouping.dimensions) === "events") {
    const sessions = [storedTimes(plan, stored, ["action_count > 0"], bindings), ...stored.windows.map(live)];
    const counted = `SELECT *, count() OVER (PARTITION BY session_key) AS of_key FROM (${sessions.join(" UNION ALL ")})`;
    const ofSeveral = `SELECT session_key, began, last FROM (${counted}) WHERE of_key > 1`;
    return [ofEvents(plan, ofSeveral, furtherSessions, grouping, bindings)];
  }
  const parts = stored.windows.map((range) =>
    ofEvents({ ...plan, range }, live(range), allSessions, grouping, bindings),
  );
  parts.push(...sessionsByColumns(plan, stored, grouping.dimensions, bindings));
  if (stored.untold.length > 0) {
    const sessions = storedTimes(plan, stored, [untoldOfFields(grouping.dimensions).isUntold], bindings);
    const conditions = [...grouping.conditions, timesSql(stored.untold)];
    parts.push(ofEvents(plan, sessions, allSessions, { ...grouping, conditions }, bindings));
  }
  return parts;
}

const allSessions = "count_distinct(session)";

/** What distinct session keys miss of the sessions. */
const furtherSessions = "count_distinct(session) - count_distinct(counted_key)";

/** Keys and times of stored sessions. To the microsecond it is not known when one was last active, but nothing of its key follows so soon. */
function storedTimes(
  plan: ParameterPlan,
  { liveTimes }: StoredSessions,
  conditions: readonly string[],
  bindings: Bindings,
): string {
  const rows = storedRowsOf(plan, liveTimes, bindings, conditions);
  return `SELECT session_key, started::long AS began, last_activity_ms * 1000 + 999 AS last FROM ${rows}`;
}

/** By events with the session that each belongs to; `count` is of sessions. */
function ofEvents(
  plan: ParameterPlan,
  sessions: string,
  count: typeof allSessions | typeof furtherSessions,
  { buckets, dimensions, conditions }: Grouping,
  bindings: Bindings,
): string {
  const columns = new Set(["ts", "event_type", ...dimensions.map(({ column }) => column)]);
  const rows = rowsOf("events", plan, bindings, accessTo(plan, "taken"));
  const events =
    `SELECT session_key AS event_session_key, ${[...columns].join(", ")} ` +
    `FROM ${[rows, ...conditions].join(" AND ")} AND event_type != 'page_exit' AND session_key != null`;
  const groups = [
    ...(buckets === undefined ? [] : [`${bucketSql(buckets, "ts")} AS bucket`]),
    ...dimensions.map(({ column }, index) => `${column} AS g${index}`),
  ];
  const keyed = [
    `${sessionNumber("session_key", "began")} AS session`,
    ...(count === furtherSessions ? ["session_key AS counted_key"] : []),
  ];
  const found =
    `SELECT ${[...groups, ...keyed].join(", ")} ` +
    `FROM (${events}) JOIN (${sessions}) ON event_session_key = session_key WHERE ts::long >= began AND ts::long <= last`;
  const keys = [...(buckets === undefined ? [] : ["bucket"]), ...dimensions.map((_, index) => `g${index}`)];
  const by = keys.length === 0 ? "" : ` GROUP BY ${keys.join(", ")}`;
  return `SELECT ${[...keys, `${count} AS sessions`].join(", ")} FROM (${found})${by}`;
}
