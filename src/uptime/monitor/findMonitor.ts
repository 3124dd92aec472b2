import type { Pool } from "pg";
import { mayUse } from "../../access/authorize.ts";
import type { Website } from "../../access/websiteDirectory.ts";
import { ApiError } from "../../errors/errors.ts";
import type { MonitorCall, UptimeCall } from "../uptimeCall.ts";
import { type Monitor, monitorColumns, type OpenMonitor } from "./monitor.ts";
import { openMonitor } from "./monitorSecrets.ts";

/** Like findMonitor, with its secrets. */
export async function findOpenMonitor(id: string, call: UptimeCall): Promise<OpenMonitor> {
  const { postgres, keyring } = call.app;
  return await openMonitor(postgres, keyring, await findMonitor(id, call));
}

/**
 * A live monitor whose website the caller may use. Rejects with NOT_FOUND, with the same text for what does not exist
 * and what belongs to another organization; with `missing` where the monitor is only a part of what is looked for.
 */
export async function findMonitor(id: string, call: MonitorCall, missing = monitorNotFound()): Promise<Monitor> {
  const sql = `SELECT ${monitorColumns} FROM monitors WHERE id = $1 AND deleted_at IS NULL`;
  const { row } = await findOwned<Monitor>(call.app.postgres, sql, id, call, missing);
  return row;
}

/** The row with the id `$1` of `sql`, and its website, which the caller may use. Rejects with `missing`. */
export async function findOwned<Row extends { readonly websiteId: string }>(
  client: Pick<Pool, "query">,
  sql: string,
  id: string,
  { app, caller }: MonitorCall,
  missing: ApiError,
): Promise<{ readonly row: Row; readonly website: Website }> {
  const { rows } = await client.query<Row>(sql, [id]);
  const [row] = rows;
  const website = row && (await app.websites.find(row.websiteId));
  if (row === undefined || website === undefined || caller === undefined || !mayUse(caller, website)) throw missing;
  return { row, website };
}

/** A live website that the caller may use. Rejects with NOT_FOUND. */
export async function findMonitoredWebsite(websiteId: string, { app, caller }: MonitorCall): Promise<Website> {
  const website = await app.websites.find(websiteId);
  if (website === undefined || website.deletedAtMs !== null || caller === undefined || !mayUse(caller, website))
    throw notFound("website", "GET /v1/query/websites lists those of the key");
  return website;
}

export function monitorNotFound(): ApiError {
  return notFound("monitor", "POST /uptime/monitors/list lists a website's");
}

export function notFound(what: string, hint: string): ApiError {
  return new ApiError("NOT_FOUND", `There is no such ${what}, or your credentials do not reach it. ${hint}`);
}
