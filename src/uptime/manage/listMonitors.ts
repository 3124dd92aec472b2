import type { GetMonitorReply, ListMonitorsReply } from "../../gen/lookout/services.ts";
import type { GetMonitorRequest, ListMonitorsRequest } from "../../gen/lookout/v1/uptime_pb.ts";
import { findMonitoredWebsite, findOpenMonitor } from "../monitor/findMonitor.ts";
import { type Monitor, monitorColumns, monitorMessage } from "../monitor/monitor.ts";
import { openMonitor } from "../monitor/monitorSecrets.ts";
import type { UptimeCall } from "../uptimeCall.ts";

/** POST /uptime/monitors/list (specification 4.7): a website's monitors, oldest first. Rejects with NOT_FOUND (the website). */
export async function listMonitors({ websiteId }: ListMonitorsRequest, call: UptimeCall): Promise<ListMonitorsReply> {
  const website = await findMonitoredWebsite(websiteId, call);
  const { postgres, keyring } = call.app;
  const { rows } = await postgres.query<Monitor>(
    `SELECT ${monitorColumns} FROM monitors WHERE website_id = $1 AND deleted_at IS NULL ORDER BY created_at, id`,
    [website.id],
  );
  const monitors = await Promise.all(rows.map((row) => openMonitor(postgres, keyring, row)));
  return { monitors: monitors.map((monitor) => monitorMessage(monitor, call)), total: rows.length };
}

/** POST /uptime/monitors/get. Rejects with NOT_FOUND. */
export async function getMonitor({ id }: GetMonitorRequest, call: UptimeCall): Promise<GetMonitorReply> {
  return { monitor: monitorMessage(await findOpenMonitor(id, call), call) };
}
