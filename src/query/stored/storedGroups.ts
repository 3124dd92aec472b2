import { contextBit, contextColumns } from "../../aggregation/sessionContext.ts";
import type { Bindings } from "../bindings.ts";
import { bucketSql } from "../bucketSql.ts";
import type { Buckets } from "../buckets.ts";
import type { QueryType } from "../catalogue/queryType.ts";
import type { TimeRange } from "../dates.ts";
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

/** A condition on stored sessions, one that QuestDB compiles and that is true wherever it is, and the opposite of that. */
export type Untold = { readonly sql: string; readonly compiled: string; readonly told: string };

/** Stored sessions whose columns do not tell the groups of their events. */
export function untoldSql(dimensions: readonly Field[]): Untold {
  const bits = dimensions.reduce((sum, field) => sum | (bitOf(field) ?? 0), 0);
  // Of one column it is enough to know which value there is besides none; of several, which go together.
  return dimensions.length === 1
    ? { sql: `(varied & ${bits}) != 0`, compiled: "varied != 0", told: "varied = 0" }
    : {
        sql: `((varied | partly) & ${bits}) != 0`,
        compiled: "(varied != 0 OR partly != 0)",
        told: "varied = 0 AND partly = 0",
      };
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
    const sessions = () =>
      [storedTimes(plan, stored, ["action_count > 0"], bindings), ...stored.windows.map(live)].join(" UNION ALL ");
    const severalKeys = `SELECT session_key AS several_key FROM (SELECT session_key, count() AS n FROM (${sessions()}) GROUP BY session_key) WHERE n > 1`;
    const ofSeveral = `SELECT session_key, began, last FROM (${sessions()}) JOIN (${severalKeys}) ON session_key = several_key`;
    return [ofEvents(plan, ofSeveral, furtherSessions, [], grouping, bindings)];
  }
  const parts = stored.windows.map((range) =>
    ofEvents({ ...plan, range }, live(range), allSessions, [], grouping, bindings),
  );
  parts.push(...ofColumns(plan, stored, grouping.dimensions, bindings));
  if (stored.untold !== undefined) {
    const { sql, compiled } = untoldSql(grouping.dimensions);
    const sessions = storedTimes(plan, stored, [compiled], bindings, `, CASE WHEN ${sql} THEN 1 ELSE 0 END AS untold`);
    parts.push(ofEvents({ ...plan, range: stored.untold }, sessions, allSessions, ["untold = 1"], grouping, bindings));
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
  more = "",
): string {
  const rows = [storedRowsOf(plan, liveTimes, bindings), ...conditions].join(" AND ");
  return `SELECT session_key, ts::long AS began, last_activity_ms * 1000 + 999 AS last${more} FROM ${rows}`;
}

/** By events with the session that each belongs to. `isCounted` chooses sessions, `count` is of them. */
function ofEvents(
  plan: ParameterPlan,
  sessions: string,
  count: typeof allSessions | typeof furtherSessions,
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
  const ofCounted = (value: string) => (counted === "" ? value : `CASE WHEN ${counted} THEN ${value} ELSE null END`);
  const keyed = [
    `${ofCounted(sessionNumber("session_key", "began"))} AS session`,
    ...(count === furtherSessions ? [`${ofCounted("session_key")} AS counted_key`] : []),
  ];
  const found =
    `SELECT ${[...groups, ...keyed].join(", ")} ` +
    `FROM (${events}) JOIN (${sessions}) ON event_session_key = session_key WHERE ts::long >= began AND ts::long <= last`;
  const keys = [...(buckets === undefined ? [] : ["bucket"]), ...dimensions.map((_, index) => `g${index}`)];
  const by = keys.length === 0 ? "" : ` GROUP BY ${keys.join(", ")}`;
  return `SELECT ${[...keys, `${count} AS sessions`].join(", ")} FROM (${found})${by}`;
}

/** By the columns of stored sessions: those with a value, and those with a page view without one. */
function ofColumns(
  plan: ParameterPlan,
  stored: StoredSessions,
  dimensions: readonly Field[],
  bindings: Bindings,
): string[] {
  const [first] = dimensions;
  if (first === undefined) throw new Error("sessions are counted by at least one column");
  const { shape } = plan.type;
  const { sql: untold, compiled, told } = untoldSql(dimensions);
  const isOnlyWithValue = shape.kind === "table" && shape.withoutValue === "none";
  const rows = () => storedRowsOf(plan, stored.liveTimes, bindings);
  const keys = dimensions.map((_, index) => `g${index}`).join(", ");
  const columns = dimensions.map(({ column }, index) => `${column} AS g${index}`).join(", ");
  // Most sessions tell their groups in every column. Those are chosen by what QuestDB compiles, and only counted.
  const ofMost =
    `SELECT ${keys}, CASE WHEN ${isEmpty("g0")} THEN ${isOnlyWithValue ? "0" : "with_views"} ELSE counted END AS sessions ` +
    `FROM (SELECT ${columns}, count() AS counted, ${countWhere("page_count > 0")} AS with_views FROM ${rows()} AND ${told} GROUP BY ${keys})`;
  const hasValue = `NOT ${isEmpty(first.column)}`;
  const counts = isOnlyWithValue ? hasValue : `(page_count > 0 OR ${hasValue})`;
  const counted = (condition: string) => `${countWhere(`${condition} AND NOT (${untold})`)} AS sessions`;
  const ofSome = `SELECT ${columns}, ${counted(counts)} FROM ${rows()} AND ${compiled} GROUP BY ${keys}`;
  if (isOnlyWithValue || dimensions.length > 1) return [ofMost, ofSome];
  const lacksValue =
    `SELECT null::varchar AS g0, sessions FROM ` +
    `(SELECT ${counted(`(views_without & ${bitOf(first)}) != 0`)} FROM ${rows()} AND views_without != 0)`;
  return [ofMost, ofSome, lacksValue];
}

function bitOf({ column }: Field): number | undefined {
  const known = contextColumns.find((name) => name === column);
  return known === undefined ? undefined : contextBit(known);
}
