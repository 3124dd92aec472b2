import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { PreparedAnswer } from "../plan/preparedAnswer.ts";
import { Bindings } from "../sql/bindings.ts";
import { countWhere, eventKinds } from "../sql/measures.ts";
import { selectedEvents } from "../visits/visitEvents.ts";
import { columnAnswer } from "./columnRows.ts";

/**
 * The sessions with an event in a range that is too short for any of them to end in it, last seen first.
 *
 * The cast to STRING is needed as in measuredStatement.ts.
 */
export function prepareLiveSessions(plan: ParameterPlan): PreparedAnswer {
  const bindings = new Bindings();
  const names = ["session_id", "event_type", "path", "country", "device"];
  const values = Object.fromEntries(names.map((name) => [name, name]));
  const rows = selectedEvents({ ...plan, isNow: true }, "events", values, ["session_key != null"], bindings);
  const sql =
    "SELECT session_key, last_not_null(session_id::string) AS session_id, " +
    `last_not_null(CASE WHEN ${eventKinds.page_view} THEN path::string ELSE null END) AS current_page, ` +
    "last_not_null(country) AS country, last_not_null(device) AS device_type, " +
    `${countWhere(eventKinds.page_view)} AS pages_viewed, max(ts) AS last_seen ` +
    `FROM ${rows} GROUP BY session_key ORDER BY last_seen DESC, session_key ${bindings.bindPage(plan)}`;
  return columnAnswer(plan, sql, bindings);
}
