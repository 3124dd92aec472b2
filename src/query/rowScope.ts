import type { TableName } from "../store/tables.ts";
import type { Bindings } from "./bindings.ts";
import type { ParameterPlan } from "./parameterPlan.ts";

type Scope = Pick<ParameterPlan, "websiteIds" | "organizationId" | "monitorId" | "linkId" | "range">;

/** Tables with rows that belong to an organization and to none of its websites. */
const tablesOfOrganizations: ReadonlySet<TableName> = new Set(["llm_calls", "link_clicks"]);

/**
 * How QuestDB finds rows: by the index of their website, which costs the less the fewer there are, or by reading those of all websites,
 * on all cores at once. A scan is fast only where QuestDB compiles every condition, so not with those that look into text.
 */
export type Access = "index" | "scan";

/**
 * From these shares of the events on a scan is faster: of rows that are grouped at once, as all cores do together, and of those that one
 * core takes, for a join or where there are few.
 */
const scannedShares = { grouped: 0.005, taken: 0.02 } as const;

/** The faster way to rows of a plan. */
export function accessTo({ eventShare = 0 }: Pick<ParameterPlan, "eventShare">, rows: "grouped" | "taken"): Access {
  return eventShare >= scannedShares[rows] ? "scan" : "index";
}

/**
 * The rows that a parameter may see, as the text after FROM; further conditions follow with AND. Every read of a table passes here, so
 * no statement can leave its websites or its range.
 */
export function rowsOf(
  table: TableName,
  { websiteIds, organizationId, monitorId, linkId, range }: Scope,
  bindings: Bindings,
  access: Access = "index",
): string {
  // A website id is never empty, so without websites nothing matches.
  const ids = websiteIds.length === 0 ? [""] : websiteIds;
  const time = `ts >= ${bindings.bindTime(range.startMs)} AND ts < ${bindings.bindTime(range.endMs)}`;
  const ofWebsites = access === "scan" ? oneOf(ids, bindings) : `website_id IN (${bindings.bindAll(ids)})`;
  if (table === "uptime_checks" && monitorId !== undefined)
    return `${table} WHERE monitor_id = ${bindings.bind(monitorId)} AND ${ofWebsites} AND ${time}`;
  if (table === "link_clicks" && linkId !== undefined)
    return `${table} WHERE link_id = ${bindings.bind(linkId)} AND ${time}`;
  if (!tablesOfOrganizations.has(table) || organizationId === undefined)
    return `${table} WHERE ${ofWebsites} AND ${time}`;
  const ofOrganization = `website_id = null AND organization_id = ${bindings.bind(organizationId)}`;
  return `${table} WHERE (${ofWebsites} OR (${ofOrganization})) AND ${time}`;
}

/** QuestDB 9.3.4 uses the index for `=` and `IN` alone, not for alternatives, so one website is named twice. */
function oneOf(ids: readonly string[], bindings: Bindings): string {
  const conditions = ids.map((id) => `website_id = ${bindings.bind(id)}`);
  return `(${[...conditions, ...(conditions.length === 1 ? conditions : [])].join(" OR ")})`;
}
