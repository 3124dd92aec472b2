import { mayUse } from "../../access/authorize.ts";
import type { Website } from "../../access/websiteDirectory.ts";
import { ApiError } from "../../errors/errors.ts";
import type { MonitorCall, SecretsCall } from "../uptimeCall.ts";
import { type Monitor, monitorColumns, type OpenMonitor } from "./monitor.ts";
import { openMonitor } from "./monitorSecrets.ts";

/** Like findMonitor, with its secrets. */
export async function findOpenMonitor(id: string, call: MonitorCall & SecretsCall): Promise<OpenMonitor> {
  const { postgres, keyring } = call.app;
  return await openMonitor(postgres, keyring, await findMonitor(id, call));
}

/**
 * A live monitor whose website the caller may use. Rejects with NOT_FOUND, with the same text for what does not exist
 * and what belongs to another organization.
 */
export async function findMonitor(id: string, { app, caller }: MonitorCall): Promise<Monitor> {
  const { rows } = await app.postgres.query<Monitor>(
    `SELECT ${monitorColumns} FROM monitors WHERE id = $1 AND deleted_at IS NULL`,
    [id],
  );
  const [found] = rows;
  const website = found === undefined ? undefined : await app.websites.find(found.websiteId);
  if (found === undefined || website === undefined || caller === undefined || !mayUse(caller, website))
    throw notFound("monitor", "POST /uptime/monitors/list lists a website's");
  return found;
}

/** A live website that the caller may use. Rejects with NOT_FOUND. */
export async function findMonitoredWebsite(websiteId: string, { app, caller }: MonitorCall): Promise<Website> {
  const website = await app.websites.find(websiteId);
  if (website === undefined || website.deletedAtMs !== null || caller === undefined || !mayUse(caller, website))
    throw notFound("website", "GET /v1/query/websites lists those of the key");
  return website;
}

export function notFound(what: string, hint: string): ApiError {
  return new ApiError("NOT_FOUND", `There is no such ${what}, or your credentials do not reach it. ${hint}`);
}
