import type { TimeRange } from "../../time/dates.ts";
import type { Buckets } from "../plan/buckets.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { Bindings } from "../sql/bindings.ts";
import { bucketSql } from "../sql/bucketSql.ts";
import type { Field } from "../sql/fields.ts";
import { accessTo, rowsOf } from "../sql/rowScope.ts";
import { sessionNumber } from "../sql/sessionKeys.ts";
import { sessionsSource } from "../sql/sessionsSource.ts";
import { timesSql } from "../sql/timesSql.ts";
import { type StoredSessions, storedRowsOf, touchesLiveRangeSql } from "./storedSessions.ts";

/** What groups are made of, and the events that make a session count in one. */
export type Grouping = {
  readonly buckets: Buckets | undefined;
  readonly dimensions: readonly Field[];
  readonly conditions: readonly string[];
};

/** Sessions of a window that touch a live range, computed from its events: session_key, began and last. */
export function liveSessions(
  plan: ParameterPlan,
  { liveRanges }: StoredSessions,
  window: TimeRange,
  bindings: Bindings,
): string {
  const made = sessionsSource({ ...plan, range: window }, [], undefined, bindings);
  return `SELECT session_key, began::long AS began, last::long AS last FROM ${made} WHERE ${touchesLiveRangeSql(liveRanges)}`;
}

/**
 * Keys and times of stored sessions. When a session was last active is stored in milliseconds, so the whole millisecond
 * is included.
 */
export function storedSessionSpans(
  plan: ParameterPlan,
  { liveRanges }: StoredSessions,
  conditions: readonly string[],
  bindings: Bindings,
): string {
  const rows = storedRowsOf(plan, liveRanges, bindings, conditions);
  return `SELECT session_key, started::long AS began, last_activity_ms * 1000 + 999 AS last FROM ${rows}`;
}

/**
 * Figures of the sessions whose groups cannot be read from the columns of stored sessions: those that touch a live
 * range, and the ambiguous stored ones. Statements as `eventFigures` makes them; their rows add up.
 */
export function figuresFromEvents(
  plan: ParameterPlan,
  stored: StoredSessions,
  isAmbiguous: string,
  figures: string,
  grouping: Grouping,
  bindings: Bindings,
): string[] {
  const parts = stored.windows.map((range) =>
    eventFigures({ ...plan, range }, liveSessions(plan, stored, range, bindings), figures, grouping, bindings),
  );
  if (stored.ambiguousRanges.length > 0) {
    const sessions = storedSessionSpans(plan, stored, [isAmbiguous], bindings);
    const conditions = [...grouping.conditions, timesSql(stored.ambiguousRanges)];
    parts.push(eventFigures(plan, sessions, figures, { ...grouping, conditions }, bindings));
  }
  return parts;
}

/**
 * Figures of events, each joined with its session, by `bucket` and the values g0, g1 … of the dimensions. `figures` are
 * aggregates over `session` (the number of the session), `event_session_key` and `event_type`. page_exit events are
 * left out.
 */
export function eventFigures(
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
