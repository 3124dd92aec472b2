import { withSessionsSql } from "../../aggregation/sessionSql.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { Bindings } from "../sql/bindings.ts";
import type { Field } from "../sql/fields.ts";
import { accessTo, rowsOf } from "../sql/rowScope.ts";
import { eventsOfSessions, sessionSpans } from "./eventsOfSessions.ts";
import { longKeysSql, sessionNumber } from "./sessionKeys.ts";

/** A count of sessions: an aggregate, and the text after FROM with the groups g0, g1 … and, in series, ts. */
export type SessionCount = { readonly count: string; readonly from: string };

/**
 * The sessions that a count of distinct session keys misses in each group: the sessions of a key beyond its first. They
 * are counted over the events of keys with several sessions that meet `conditions` and are not page_exit events.
 */
export function furtherSessions(
  plan: ParameterPlan,
  dimensions: readonly Field[],
  conditions: readonly string[],
  bindings: Bindings,
): SessionCount {
  const { stored, type } = plan;
  const count = "count_distinct(session) - count_distinct(session_key)";
  // Custom events are few, so joining them with their sessions is faster than finding the sessions from all events.
  if (stored !== undefined && type.only === "custom") {
    const all = sessionSpans(plan, stored, "action_count > 0", bindings);
    const ofKeys = `SELECT *, count() OVER (PARTITION BY session_key) AS of_key FROM (${all})`;
    const several = `SELECT session_key, began, last FROM (${ofKeys}) WHERE of_key > 1`;
    return { count, from: eventsOfSessions(plan, several, dimensions, conditions, bindings) };
  }
  const access = accessTo(plan, "grouped");
  const events = `${rowsOf("events", plan, bindings, access)} AND session_key != null`;
  const links = `${rowsOf("outgoing_links", plan, bindings, access)} AND session_key != null`;
  const groups = dimensions.map(({ column }, index) => `, ${column}::varchar AS g${index}`).join("");
  const noGroups = dimensions.map((_, index) => `, null::varchar AS g${index}`).join("");
  const counts = [...conditions, "event_type != 'page_exit'"].join(" AND ");
  const activities =
    `SELECT e.* FROM (SELECT session_key, ts${groups}, CASE WHEN ${counts} THEN 1 ELSE 0 END AS counts FROM ${events}) e ` +
    // Link clicks do not count but keep a session going, and those of a key that fill days can split close events.
    `JOIN (${longKeysSql(events)} UNION ${longKeysSql(links)}) k ON e.session_key = k.session_key UNION ALL ` +
    `SELECT session_key, ts${noGroups}, 0 AS counts FROM ${links}`;
  const session = `${sessionNumber("session_key", "session_began")} AS session`;
  return { count, from: `(SELECT *, ${session} FROM (${withSessionsSql(activities)}) WHERE counts = 1)` };
}
