import { recordAudit } from "../../audit/recordAudit.ts";
import type { DeleteMaintenanceWindowReply } from "../../gen/lookout/services.ts";
import type { DeleteMaintenanceWindowRequest } from "../../gen/lookout/v1/maintenance_pb.ts";
import { inTransaction } from "../../store/postgres/inTransaction.ts";
import { findOwned, notFound } from "../monitor/findMonitor.ts";
import type { UptimeCall } from "../uptimeCall.ts";
import { auditedWindow, type MaintenanceWindow, windowColumns } from "./window.ts";

/** POST /uptime/maintenance/delete: ends the window's effect at once. Rejects with NOT_FOUND. */
export async function deleteMaintenanceWindow(
  { id }: DeleteMaintenanceWindowRequest,
  call: UptimeCall,
): Promise<DeleteMaintenanceWindowReply> {
  const { postgres } = call.app;
  const missing = notFound("maintenance window", "POST /uptime/maintenance/list lists a website's");
  const sql = `SELECT ${windowColumns} FROM maintenance_windows WHERE id = $1`;
  const { row: window } = await findOwned<MaintenanceWindow>(postgres, sql, id, call, missing);
  await inTransaction(postgres, async (client) => {
    const { rowCount } = await client.query("DELETE FROM maintenance_windows WHERE id = $1", [window.id]);
    // Only one of two simultaneous deletions succeeds.
    if (rowCount === 0) throw missing;
    await recordAudit(client, call, {
      action: "maintenance_window.delete",
      objectId: window.id,
      websiteId: window.websiteId,
      before: auditedWindow(window),
    });
  });
  return { success: true };
}
