import { hashPassword } from "../access/passwordHash.ts";
import { changedFields } from "../audit/changedFields.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import { validationError } from "../errors/errors.ts";
import type { DeleteSharedDashboardReply, UpdateSharedDashboardReply } from "../gen/lookout/services.ts";
import type {
  DeleteSharedDashboardRequest,
  UpdateSharedDashboardRequest,
} from "../gen/lookout/v1/shared_dashboards_pb.ts";
import { inTransaction } from "../store/postgres/inTransaction.ts";
import { readShare } from "./readShare.ts";
import { auditedShare, lockShare, type ShareRow, shareColumns, shareMessage } from "./shareRow.ts";
import type { SharingCall } from "./sharingCall.ts";

/** As the contract has it for a new one (test/passwordLengths.unit.test.ts); an empty one removes it. */
export const shortestPassword = 8;

/**
 * POST /v1/shared-dashboards/update: replaces what is set, and keeps a password that is left out. Counts for open readers within a
 * second; another password ends what they have opened. Rejects with VALIDATION_ERROR and NOT_FOUND.
 */
export async function updateSharedDashboard(
  request: UpdateSharedDashboardRequest,
  call: SharingCall,
): Promise<UpdateSharedDashboardReply> {
  const { name, types, filters, origins, expiresAt } = readShare(request);
  const password = await newPasswordHash(request.password);
  const share = await inTransaction(call.app.postgres, async (client) => {
    const before = await lockShare(client, request.id, call.caller);
    const { rows } = await client.query<ShareRow>(
      `UPDATE shared_dashboards SET name = $2, types = $3, filters = $4, origins = $5, expires_at = $6, password_hash = $7
       WHERE id = $1 RETURNING ${shareColumns}`,
      [before.id, name, types, filters, origins, expiresAt, password === undefined ? before.passwordHash : password],
    );
    const after = rows[0] ?? before;
    const fields = changedFields(auditedShare(before), auditedShare(after));
    if (fields !== undefined || password !== undefined)
      await recordAudit(client, call, {
        action: "shared_dashboard.update",
        objectId: after.id,
        websiteId: after.websiteId,
        ...fields,
      });
    return after;
  });
  return { sharedDashboard: shareMessage(share) };
}

/** Null to remove the password; undefined to keep it. */
async function newPasswordHash(given: string | undefined): Promise<string | null | undefined> {
  if (given === undefined) return undefined;
  if (given === "") return null;
  if (given.length < shortestPassword)
    throw validationError([
      { field: "password", message: `must have at least ${shortestPassword} characters, or none` },
    ]);
  return await hashPassword(given);
}

/** POST /v1/shared-dashboards/delete: revokes it, for open readers within a second. Rejects with NOT_FOUND. */
export async function deleteSharedDashboard(
  { id }: DeleteSharedDashboardRequest,
  call: SharingCall,
): Promise<DeleteSharedDashboardReply> {
  await inTransaction(call.app.postgres, async (client) => {
    const share = await lockShare(client, id, call.caller);
    await client.query("DELETE FROM shared_dashboards WHERE id = $1", [share.id]);
    await recordAudit(client, call, {
      action: "shared_dashboard.delete",
      objectId: share.id,
      websiteId: share.websiteId,
      before: auditedShare(share),
    });
  });
  return { success: true };
}
