import type { DeleteMonitorReply } from "../../gen/lookout/services.ts";
import type { DeleteMonitorRequest } from "../../gen/lookout/v1/uptime_pb.ts";
import { findMonitor } from "../monitor/findMonitor.ts";
import { type Monitor, monitorColumns } from "../monitor/monitor.ts";
import type { UptimeCall } from "../uptimeCall.ts";
import { changeMonitor } from "./changeMonitor.ts";

/**
 * POST /uptime/monitors/delete (specification 4.9): stops the monitor permanently; its checks stay until their
 * retention ends. Rejects with NOT_FOUND.
 */
export async function deleteMonitor({ id }: DeleteMonitorRequest, call: UptimeCall): Promise<DeleteMonitorReply> {
  await changeMonitor(call, await findMonitor(id, call), "monitor.delete", async (client) => {
    const { rows } = await client.query<Monitor>(
      `UPDATE monitors SET deleted_at = now(), updated_at = now(), revision = revision + 1, status = 'stopped'
       WHERE id = $1 RETURNING ${monitorColumns}`,
      [id],
    );
    return rows[0];
  });
  return { success: true };
}
