import type { DeleteMonitorReply } from "../../gen/lookout/services.ts";
import type { DeleteMonitorRequest } from "../../gen/lookout/v1/uptime_pb.ts";
import { findMonitor } from "../monitor/findMonitor.ts";
import type { UptimeCall } from "../uptimeCall.ts";
import { changeMonitor } from "./changeMonitor.ts";

/**
 * POST /uptime/monitors/delete (specification 4.9): stops the monitor permanently; its checks stay until their
 * retention ends. Rejects with NOT_FOUND.
 */
export async function deleteMonitor({ id }: DeleteMonitorRequest, call: UptimeCall): Promise<DeleteMonitorReply> {
  await changeMonitor(call, await findMonitor(id, call), "monitor.delete", () => ({
    deleted_at: new Date(),
    status: "stopped",
  }));
  return { success: true };
}
