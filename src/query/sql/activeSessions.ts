import { withSessionsSql } from "../../aggregation/sessionSql.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { Bindings } from "./bindings.ts";
import type { Field } from "./fields.ts";
import { accessTo, rowsOf } from "./rowScope.ts";
import { longKeysSql, sessionNumber } from "./sessionKeys.ts";

/**
 * The sessions that a count of session keys misses, as the text after FROM: rows of events whose key may have several
 * sessions, with session_key, ts, `session` (a number for the session), and the columns of the dimensions as g0, g1 ….
 * Within a group, distinct sessions minus distinct session keys must be added to the count.
 *
 * The rows meet `conditions` and are not page_exit events. Link clicks are not included but may keep a session going.
 * Few statements find any such rows, but all must look for them.
 */
export function severalSessionsSource(
  plan: ParameterPlan,
  events: string,
  dimensions: readonly Field[],
  conditions: readonly string[],
  bindings: Bindings,
): string {
  const links = rowsOf("outgoing_links", plan, bindings, accessTo(plan, "grouped"));
  const groups = dimensions.map(({ column }, index) => `, ${column}::varchar AS g${index}`).join("");
  const noGroups = dimensions.map((_, index) => `, null::varchar AS g${index}`).join("");
  const counts = [...conditions, "event_type != 'page_exit'"].join(" AND ");
  const activities =
    `SELECT e.* FROM (SELECT session_key, ts${groups}, CASE WHEN ${counts} THEN 1 ELSE 0 END AS counts FROM ${events}) e ` +
    // Link clicks of a key that fill days can split events that are close together.
    `JOIN (${longKeysSql(events)} UNION ${longKeysSql(links)}) k ON e.session_key = k.session_key UNION ALL ` +
    `SELECT session_key, ts${noGroups}, 0 AS counts FROM ${links} AND session_key != null`;
  const session = `${sessionNumber("session_key", "session_began")} AS session`;
  return `(SELECT *, ${session} FROM (${withSessionsSql(activities)}) WHERE counts = 1)`;
}
