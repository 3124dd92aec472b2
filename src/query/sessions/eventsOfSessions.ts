import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { Bindings } from "../sql/bindings.ts";
import type { Field } from "../sql/fields.ts";
import { accessTo, rowsOf } from "../sql/rowScope.ts";
import { sessionNumber } from "./sessionKeys.ts";
import { liveSessions } from "./sessionsFromEvents.ts";
import { type StoredSessions, storedRows } from "./storedSessions.ts";

/**
 * The sessions that touch a live range, and the stored ones that meet a condition, as a statement: session_key, began
 * and last (Unix time in microseconds).
 */
export function sessionSpans(
  plan: ParameterPlan,
  stored: StoredSessions,
  condition: string,
  bindings: Bindings,
): string {
  // The last activity is stored in milliseconds, so the whole millisecond is included.
  const settled =
    "SELECT session_key, started::long AS began, last_activity_ms * 1000 + 999 AS last " +
    `FROM ${storedRows(plan, stored.liveRanges, bindings)} AND ${condition}`;
  const live = liveSessions("session_key, started::long AS began, last::long AS last", plan, stored, [], bindings);
  return [settled, ...live].join(" UNION ALL ");
}

/**
 * The events of these sessions as the text after FROM: session_key, ts, `session` (a number for the session), and the
 * columns of the dimensions as g0, g1 …. The events meet `conditions`; page_exit events do not make a session count.
 */
export function eventsOfSessions(
  plan: ParameterPlan,
  spans: string,
  dimensions: readonly Field[],
  conditions: readonly string[],
  bindings: Bindings,
): string {
  const rows = rowsOf("events", plan, bindings, accessTo(plan, "taken"));
  const all = [rows, ...conditions, "event_type != 'page_exit'", "session_key != null"].join(" AND ");
  const values = dimensions.map(({ column }, index) => `, ${column}::varchar AS g${index}`).join("");
  const groups = dimensions.map((_, index) => `, g${index}`).join("");
  return (
    `(SELECT session_key, ts, ${sessionNumber("session_key", "began")} AS session${groups} ` +
    `FROM (SELECT session_key AS event_session_key, ts${values} FROM ${all}) ` +
    `JOIN (${spans}) ON event_session_key = session_key WHERE ts::long >= began AND ts::long <= last)`
  );
}
