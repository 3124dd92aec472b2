import type { ListMaintenanceWindowsReply } from "../../gen/lookout/services.ts";
import type { ListMaintenanceWindowsRequest } from "../../gen/lookout/v1/maintenance_pb.ts";
import { findMonitoredWebsite } from "../monitor/findMonitor.ts";
import type { UptimeCall } from "../uptimeCall.ts";
import { readWindows, windowMessage } from "./window.ts";

/** How long past windows are listed. */
const listedMs = 90 * 86_400_000;

/**
 * POST /uptime/maintenance/list: windows by their start: current and future ones, and those of the last 90 days.
 * Rejects with NOT_FOUND (the website).
 */
export async function listMaintenanceWindows(
  { websiteId }: ListMaintenanceWindowsRequest,
  call: UptimeCall,
): Promise<ListMaintenanceWindowsReply> {
  const website = await findMonitoredWebsite(websiteId, call);
  const windows = await readWindows(call.app.postgres, { websiteIds: [website.id], fromMs: Date.now() - listedMs });
  return { windows: windows.map(windowMessage) };
}
