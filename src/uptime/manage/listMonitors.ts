import { pageOf, rowsToRead } from "../../call/listPage.ts";
import type { GetMonitorReply, ListMonitorsReply } from "../../gen/lookout/services.ts";
import type { GetMonitorRequest, ListMonitorsRequest } from "../../gen/lookout/v1/uptime_pb.ts";
import { findMonitoredWebsite, findOpenMonitor } from "../monitor/findMonitor.ts";
import { type Monitor, monitorColumns, monitorMessage } from "../monitor/monitor.ts";
import { openMonitor } from "../monitor/monitorSecrets.ts";
import type { UptimeCall } from "../uptimeCall.ts";

const where = "website_id = $1 AND deleted_at IS NULL";

/**
 * POST /uptime/monitors/list (specification 4.7): a website's monitors, oldest first. Rejects with NOT_FOUND (the website) and
 * VALIDATION_ERROR (the cursor).
 */
export async function listMonitors(request: ListMonitorsRequest, call: UptimeCall): Promise<ListMonitorsReply> {
  const website = await findMonitoredWebsite(request.websiteId, call);
  const { postgres, keyring } = call.app;
  const { rows } = await postgres.query<Monitor>(
    `SELECT ${monitorColumns} FROM monitors WHERE ${where}
       AND ($2::text IS NULL OR (created_at, id) > (SELECT created_at, id FROM monitors WHERE id = $2))
     ORDER BY created_at, id LIMIT $3`,
    [website.id, request.cursor ?? null, rowsToRead(request)],
  );
  const listed = { table: "monitors", owner: "website_id", where, values: [website.id] } as const;
  const { page, total, next } = await pageOf(rows, request, listed, postgres);
  const monitors = await Promise.all(page.map((row) => openMonitor(postgres, keyring, row)));
  return { monitors: monitors.map((monitor) => monitorMessage(monitor, call)), total, ...next };
}

/** POST /uptime/monitors/get. Rejects with NOT_FOUND. */
export async function getMonitor({ id }: GetMonitorRequest, call: UptimeCall): Promise<GetMonitorReply> {
  return { monitor: monitorMessage(await findOpenMonitor(id, call), call) };
}
