import { sessionPlacesMs } from "../../store/questdb/sessionPlace.ts";
import type { TableName } from "../../store/questdb/tables.ts";
import type { TimeRange } from "../../time/dates.ts";
import { merged } from "../../time/timeRanges.ts";
import { dayMs } from "../../time/utcDay.ts";
import type { Bindings } from "./bindings.ts";
import { maxTimes, timesSql } from "./timesSql.ts";

/** Which rows may be read. */
export type RowScope = {
  readonly websiteIds: readonly string[];
  /** The organization whose own rows, of no website, are included. */
  readonly organizationId?: string | undefined;
  /** Restricts checks to one monitor. */
  readonly monitorId?: string | undefined;
  /** Restricts clicks to one short link. */
  readonly linkId?: string | undefined;
  readonly range: TimeRange;
  /** The share of all events that the websites have, 0 to 1; it decides the fastest way to find their rows. 0 if absent. */
  readonly eventShare?: number;
};

/** With more websites, conditions for each cost more than they save. */
const maxOwnPlaces = 8;

/** Tables with rows that belong to an organization and to none of its websites. */
const tablesOfOrganizations: ReadonlySet<TableName> = new Set(["llm_calls", "link_clicks"]);

/**
 * How QuestDB finds rows: by the index of their website, which is cheaper the fewer there are, or by scanning the rows
 * of all websites on all cores. A scan is fast only if QuestDB compiles every condition, so not with text searches.
 */
export type Access = "index" | "scan";

/**
 * From these shares of the events on a scan is faster: for rows that are grouped on all cores, and for rows that one
 * core processes, as in joins.
 */
const scannedShares = { grouped: 0.005, taken: 0.02 } as const;

/** The faster way to find the rows of a plan. */
export function accessTo({ eventShare = 0 }: Pick<RowScope, "eventShare">, rows: "grouped" | "taken"): Access {
  return eventShare >= scannedShares[rows] ? "scan" : "index";
}

/**
 * The rows that a parameter may read, as the text after FROM; further conditions follow with AND. Every read of a table
 * uses this, so that no statement can leave its websites or its range.
 */
export function rowsOf(
  table: TableName,
  { websiteIds, organizationId, monitorId, linkId, range }: RowScope,
  bindings: Bindings,
  access: Access = "index",
): string {
  // A website id is never empty, so without websites nothing matches.
  const ids = websiteIds.length === 0 ? [""] : websiteIds;
  const [startTime, endTime] = [bindings.bindTime(range.startMs), bindings.bindTime(range.endMs)];
  if (table === "sessions") {
    const places = placesSql(ids, range);
    // If only the websites' own places are read the index finds nothing more.
    const ofWebsites = access === "scan" || places.areOwn ? oneOf(ids, bindings) : oneByIndex(ids, bindings);
    return `sessions WHERE ${ofWebsites} AND ${places.sql} AND started >= ${startTime} AND started < ${endTime}`;
  }
  const time = `ts >= ${startTime} AND ts < ${endTime}`;
  const ofWebsites = access === "scan" ? oneOf(ids, bindings) : oneByIndex(ids, bindings);
  if (table === "uptime_checks" && monitorId !== undefined)
    return `${table} WHERE monitor_id = ${bindings.bind(monitorId)} AND ${ofWebsites} AND ${time}`;
  if (table === "link_clicks" && linkId !== undefined)
    return `${table} WHERE link_id = ${bindings.bind(linkId)} AND ${time}`;
  if (!tablesOfOrganizations.has(table) || organizationId === undefined)
    return `${table} WHERE ${ofWebsites} AND ${time}`;
  const ofOrganization = `website_id = null AND organization_id = ${bindings.bind(organizationId)}`;
  return `${table} WHERE (${ofWebsites} OR (${ofOrganization})) AND ${time}`;
}

/**
 * The places of the sessions that start in a range: those of the websites, or whole days if that would be too many
 * places.
 */
function placesSql(
  ids: readonly string[],
  { startMs, endMs }: TimeRange,
): { readonly sql: string; readonly areOwn: boolean } {
  const [firstDay, endDay] = [Math.floor(startMs / dayMs), Math.ceil(endMs / dayMs)];
  const count = Math.max(0, endDay - firstDay);
  if (ids.length <= maxOwnPlaces && count > 0 && ids.length * count <= maxTimes) {
    const days = Array.from({ length: count }, (_, index) => (firstDay + index) * dayMs);
    const places = ids.flatMap((id) => sessionPlacesMs(id, days));
    return { sql: timesSql(merged(places)), areOwn: true };
  }
  const text = (day: number) => `'${new Date(day * dayMs).toISOString()}'`;
  return { sql: `ts >= ${text(firstDay)} AND ts < ${text(endDay)}`, areOwn: false };
}

function oneByIndex(ids: readonly string[], bindings: Bindings): string {
  return `website_id IN (${bindings.bindAll(ids)})`;
}

/** QuestDB 9.3.4 uses the index only for `=` and `IN`, not for alternatives, so a single website is given twice. */
function oneOf(ids: readonly string[], bindings: Bindings): string {
  const conditions = ids.map((id) => `website_id = ${bindings.bind(id)}`);
  return `(${[...conditions, ...(conditions.length === 1 ? conditions : [])].join(" OR ")})`;
}
