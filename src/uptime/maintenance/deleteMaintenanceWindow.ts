import { mayUse } from "../../access/authorize.ts";
import { recordAudit } from "../../audit/recordAudit.ts";
import type { DeleteMaintenanceWindowReply } from "../../gen/lookout/services.ts";
import type { DeleteMaintenanceWindowRequest } from "../../gen/lookout/v1/maintenance_pb.ts";
import { inTransaction } from "../../store/postgres/inTransaction.ts";
import { notFound } from "../monitor/findMonitor.ts";
import type { UptimeCall } from "../uptimeCall.ts";
import { auditedWindow, type MaintenanceWindow, windowColumns } from "./window.ts";

/** POST /uptime/maintenance/delete: ends the window's effect at once. Rejects with NOT_FOUND. */
export async function deleteMaintenanceWindow(
  { id }: DeleteMaintenanceWindowRequest,
  call: UptimeCall,
): Promise<DeleteMaintenanceWindowReply> {
  const window = await findWindow(id, call);
  await inTransaction(call.app.postgres, async (client) => {
    const { rowCount } = await client.query("DELETE FROM maintenance_windows WHERE id = $1", [window.id]);
    // Only one of two simultaneous deletions succeeds.
    if (rowCount === 0) throw windowNotFound();
    await recordAudit(client, call, {
      action: "maintenance_window.delete",
      objectId: window.id,
      websiteId: window.websiteId,
      before: auditedWindow(window),
    });
  });
  return { success: true };
}

async function findWindow(id: string, { app, caller }: UptimeCall): Promise<MaintenanceWindow> {
  const { rows } = await app.postgres.query<MaintenanceWindow>(
    `SELECT ${windowColumns} FROM maintenance_windows WHERE id = $1`,
    [id],
  );
  const [window] = rows;
  const website = window === undefined ? undefined : await app.websites.find(window.websiteId);
  if (window === undefined || website === undefined || caller === undefined || !mayUse(caller, website))
    throw windowNotFound();
  return window;
}

function windowNotFound(): Error {
  return notFound("maintenance window", "POST /uptime/maintenance/list lists a website's");
}
