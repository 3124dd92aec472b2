import type { MessageInitShape } from "@bufbuild/protobuf";
import type { CallContext } from "../../gateway/callContext.ts";
import type {
  ListMaintenanceWindowsRequest,
  ListMaintenanceWindowsResponseSchema,
} from "../../gen/lookout/v1/maintenance_windows_pb.ts";
import { findMonitoredWebsite } from "../findMonitor.ts";
import { type MaintenanceWindow, windowColumns, windowMessage } from "./window.ts";

/** POST /uptime/maintenance/list: by their beginning, those not over and those of the last 90 days. Rejects with NOT_FOUND (the website). */
export async function listMaintenanceWindows(
  { websiteId }: ListMaintenanceWindowsRequest,
  call: CallContext,
): Promise<MessageInitShape<typeof ListMaintenanceWindowsResponseSchema>> {
  const website = await findMonitoredWebsite(websiteId, call);
  const { rows } = await call.app.postgres.query<MaintenanceWindow>(
    `SELECT ${windowColumns} FROM maintenance_windows
     WHERE website_id = $1 AND ends_at > now() - interval '90 days' ORDER BY starts_at, id`,
    [website.id],
  );
  return { windows: rows.map(windowMessage) };
}
