import { withSessionsSql } from "../../aggregation/sessionSql.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { Bindings } from "./bindings.ts";
import type { Field } from "./fields.ts";
import { accessTo, rowsOf } from "./rowScope.ts";
import { longKeysSql, sessionNumber } from "./sessionKeys.ts";

/**
 * What grouping events by session key misses of their sessions, as the text after FROM: rows of events of the keys that may be several
 * sessions, with session_key, ts, `session` (a number for the session), and the columns of the dimensions as g0, g1 …. Within a group the
 * distinct sessions less the distinct session keys are what must be added.
 *
 * The rows meet `conditions` and are more than the end of a page view. Links belong to no row but may keep a session going. Few statements
 * need any of these rows, but all must look for them.
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
    // Links of a key that fill days can split events that are close together.
    `JOIN (${longKeysSql(events)} UNION ${longKeysSql(links)}) k ON e.session_key = k.session_key UNION ALL ` +
    `SELECT session_key, ts${noGroups}, 0 AS counts FROM ${links} AND session_key != null`;
  const session = `${sessionNumber("session_key", "session_began")} AS session`;
  return `(SELECT *, ${session} FROM (${withSessionsSql(activities)}) WHERE counts = 1)`;
}
