import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { Bindings } from "./bindings.ts";
import { filterSql } from "./filters.ts";
import { rowsOf } from "./rowScope.ts";

/**
 * The slots of monitors, as the text after FROM: `ts`, `interval_ms`, and `down`, which is 1 for a slot that its
 * regions decided to be down. A slot without an answer from any region has no row. A filter selects checks; a slot
 * counts when one of its checks is selected.
 */
export function slotsSource(plan: ParameterPlan, bindings: Bindings): string {
  const conditions = [rowsOf("uptime_checks", plan, bindings), filterSql(plan.filters, "uptime_checks", bindings)];
  return (
    "(SELECT ts, monitor_id, max(interval_ms) interval_ms, max(CASE WHEN slot_status = 'down' THEN 1 ELSE 0 END) down " +
    `FROM ${conditions.filter((condition) => condition !== undefined).join(" AND ")} GROUP BY ts, monitor_id)`
  );
}
