import type { MessageInitShape } from "@bufbuild/protobuf";
import { mayUse } from "../../access/authorize.ts";
import type { CallContext } from "../../gateway/callContext.ts";
import type {
  DeleteMaintenanceWindowRequest,
  DeleteMaintenanceWindowResponseSchema,
} from "../../gen/lookout/v1/maintenance_windows_pb.ts";
import { notFound } from "../findMonitor.ts";

/** POST /uptime/maintenance/delete: monitors are watched as ever from now on. Rejects with NOT_FOUND. */
export async function deleteMaintenanceWindow(
  { id }: DeleteMaintenanceWindowRequest,
  { app, caller }: CallContext,
): Promise<MessageInitShape<typeof DeleteMaintenanceWindowResponseSchema>> {
  const given = id.replaceAll("\u0000", "");
  const { rows } = await app.postgres.query<{ websiteId: string }>(
    `SELECT website_id AS "websiteId" FROM maintenance_windows WHERE id = $1`,
    [given],
  );
  const website = rows[0] === undefined ? undefined : await app.websites.find(rows[0].websiteId);
  if (website === undefined || caller === undefined || !mayUse(caller, website))
    throw notFound("maintenance window", "POST /uptime/maintenance/list lists a website's");
  await app.postgres.query("DELETE FROM maintenance_windows WHERE id = $1", [given]);
  return { success: true };
}
