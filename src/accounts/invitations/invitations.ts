import { recordAudit } from "../../audit/recordAudit.ts";
import { ApiError } from "../../errors/errors.ts";
import type { ListInvitationsReply, RevokeInvitationReply } from "../../gen/lookout/services.ts";
import type { ListInvitationsRequest, RevokeInvitationRequest } from "../../gen/lookout/v1/auth_pb.ts";
import { inTransaction } from "../../store/postgres/inTransaction.ts";
import type { AccountCall } from "../accountCall.ts";
import { auditedLimits } from "../organization/memberLimits.ts";
import { requirePerson } from "../session/sessionMessage.ts";
import { type InvitationRow, invitationColumns, invitationMessage } from "./invitation.ts";

/** POST /auth/invitations/list: the organization's open invitations, newest first. */
export async function listInvitations(_: ListInvitationsRequest, call: AccountCall): Promise<ListInvitationsReply> {
  const { organizationId } = requirePerson(call);
  const { rows } = await call.app.postgres.query<InvitationRow>(
    `SELECT ${invitationColumns} FROM invitations WHERE organization_id = $1 AND status = 'pending' ORDER BY created_at DESC, id`,
    [organizationId],
  );
  return { invitations: rows.map(invitationMessage) };
}

/**
 * POST /auth/invitations/revoke: its link stops working at once. Rejects with NOT_FOUND for one that is not open or
 * belongs to another organization.
 */
export async function revokeInvitation(
  { id }: RevokeInvitationRequest,
  call: AccountCall,
): Promise<RevokeInvitationReply> {
  const { organizationId } = requirePerson(call);
  await inTransaction(call.app.postgres, async (client) => {
    const { rows } = await client.query<InvitationRow>(
      `UPDATE invitations SET status = 'revoked' WHERE id = $1 AND organization_id = $2 AND status = 'pending' RETURNING ${invitationColumns}`,
      [id, organizationId],
    );
    const [invitation] = rows;
    if (invitation === undefined)
      throw new ApiError("NOT_FOUND", "There is no such open invitation. POST /auth/invitations/list lists them");
    await recordAudit(client, call, {
      action: "invitation.revoke",
      objectId: invitation.id,
      before: { email: invitation.email, role: invitation.role, ...auditedLimits(invitation) },
    });
  });
  return { success: true };
}
