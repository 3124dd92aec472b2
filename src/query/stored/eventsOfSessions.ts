import type { Buckets } from "../plan/buckets.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { TimeRange } from "../request/dates.ts";
import type { Bindings } from "../sql/bindings.ts";
import { bucketSql } from "../sql/bucketSql.ts";
import type { Field } from "../sql/fields.ts";
import { accessTo, rowsOf } from "../sql/rowScope.ts";
import { sessionNumber } from "../sql/sessionKeys.ts";
import { sessionsSource } from "../sql/sessionsSource.ts";
import { timesSql } from "../sql/timesSql.ts";
import { isNearSql, type StoredSessions, storedRowsOf } from "./storedSessions.ts";

/** What groups are made of, and the events that make a session count in one. */
export type Grouping = {
  readonly buckets: Buckets | undefined;
  readonly dimensions: readonly Field[];
  readonly conditions: readonly string[];
};

/** The sessions of a window that come near a live time, made of its events: session_key, began and last. */
export function nearSessions(
  plan: ParameterPlan,
  { liveTimes }: StoredSessions,
  window: TimeRange,
  bindings: Bindings,
): string {
  const made = sessionsSource({ ...plan, range: window }, [], undefined, bindings);
  return `SELECT session_key, began::long AS began, last::long AS last FROM ${made} WHERE ${isNearSql(liveTimes)}`;
}

/** Keys and times of stored sessions. To the microsecond it is not known when one was last active, but nothing of its key follows so soon. */
export function storedTimes(
  plan: ParameterPlan,
  { liveTimes }: StoredSessions,
  conditions: readonly string[],
  bindings: Bindings,
): string {
  const rows = storedRowsOf(plan, liveTimes, bindings, conditions);
  return `SELECT session_key, started::long AS began, last_activity_ms * 1000 + 999 AS last FROM ${rows}`;
}

/**
 * Figures of the events of all sessions that columns of stored ones do not tell: of those near a live time, and of the stored ones that are
 * untold. Statements as of `ofEvents`, whose rows add up.
 */
export function ofUntoldSessions(
  plan: ParameterPlan,
  stored: StoredSessions,
  isUntold: string,
  figures: string,
  grouping: Grouping,
  bindings: Bindings,
): string[] {
  const parts = stored.windows.map((range) =>
    ofEvents({ ...plan, range }, nearSessions(plan, stored, range, bindings), figures, grouping, bindings),
  );
  if (stored.untold.length > 0) {
    const sessions = storedTimes(plan, stored, [isUntold], bindings);
    const conditions = [...grouping.conditions, timesSql(stored.untold)];
    parts.push(ofEvents(plan, sessions, figures, { ...grouping, conditions }, bindings));
  }
  return parts;
}

/**
 * Figures of events, each with the session it belongs to, by `bucket` and the values g0, g1 … of the dimensions: aggregates over `session`
 * (the number of the session), `event_session_key` and `event_type`. Ends of page views are left out.
 */
export function ofEvents(
  plan: ParameterPlan,
  sessions: string,
  figures: string,
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
  const keyed = [...groups, `${sessionNumber("session_key", "began")} AS session`, "event_session_key", "event_type"];
  const found =
    `SELECT ${keyed.join(", ")} ` +
    `FROM (${events}) JOIN (${sessions}) ON event_session_key = session_key WHERE ts::long >= began AND ts::long <= last`;
  const keys = [...(buckets === undefined ? [] : ["bucket"]), ...dimensions.map((_, index) => `g${index}`)];
  const by = keys.length === 0 ? "" : ` GROUP BY ${keys.join(", ")}`;
  return `SELECT ${[...keys, figures].join(", ")} FROM (${found})${by}`;
}
