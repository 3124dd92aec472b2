import type { Bindings } from "./bindings.ts";
import type { FactTable } from "./fields.ts";
import type { ParameterPlan } from "./parameterPlan.ts";

/**
 * The rows that a parameter may see, as the text after FROM; further conditions follow with AND. Every read of a table passes here, so
 * no statement can leave its websites or its range.
 */
export function rowsOf(
  table: FactTable,
  { websiteIds, range }: Pick<ParameterPlan, "websiteIds" | "range">,
  bindings: Bindings,
): string {
  // A website id is never empty, so without websites nothing matches.
  const websites = bindings.bindAll(websiteIds.length === 0 ? [""] : websiteIds);
  const time = `ts >= ${bindings.bindTime(range.startMs)} AND ts < ${bindings.bindTime(range.endMs)}`;
  return `${table} WHERE website_id IN (${websites}) AND ${time}`;
}
