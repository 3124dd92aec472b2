import type { TableName } from "../store/tables.ts";
import type { Bindings } from "./bindings.ts";
import type { ParameterPlan } from "./parameterPlan.ts";

type Scope = Pick<ParameterPlan, "websiteIds" | "organizationId" | "monitorId" | "range">;

/**
 * The rows that a parameter may see, as the text after FROM; further conditions follow with AND. Every read of a table passes here, so
 * no statement can leave its websites or its range.
 */
export function rowsOf(
  table: TableName,
  { websiteIds, organizationId, monitorId, range }: Scope,
  bindings: Bindings,
): string {
  // A website id is never empty, so without websites nothing matches.
  const websites = bindings.bindAll(websiteIds.length === 0 ? [""] : websiteIds);
  const time = `ts >= ${bindings.bindTime(range.startMs)} AND ts < ${bindings.bindTime(range.endMs)}`;
  const ofWebsites = `website_id IN (${websites})`;
  if (table === "uptime_checks" && monitorId !== undefined)
    return `${table} WHERE monitor_id = ${bindings.bind(monitorId)} AND ${ofWebsites} AND ${time}`;
  if (table !== "llm_calls" || organizationId === undefined) return `${table} WHERE ${ofWebsites} AND ${time}`;
  const ofOrganization = `website_id = null AND organization_id = ${bindings.bind(organizationId)}`;
  return `${table} WHERE (${ofWebsites} OR (${ofOrganization})) AND ${time}`;
}
