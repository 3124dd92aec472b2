import { recordAudit } from "../../audit/recordAudit.ts";
import type { LeaveOrganizationReply } from "../../gen/lookout/services.ts";
import type { LeaveOrganizationRequest } from "../../gen/lookout/v1/auth_pb.ts";
import { inTransaction } from "../../store/postgres/inTransaction.ts";
import type { AccountCall } from "../accountCall.ts";
import { requirePerson } from "../session/sessionMessage.ts";
import { lastOwner } from "./member.ts";
import { auditedLimits, limitColumns, type MemberLimits } from "./memberLimits.ts";
import { noSuchOrganization } from "./organization.ts";

type Left = MemberLimits & { readonly id: string; readonly role: string; readonly email: string };

/**
 * POST /auth/organization/leave: ends the person's own membership, at once in all their sessions, which switch
 * to another organization of theirs. The account stays. Rejects with NOT_FOUND for others' organizations, and with
 * CONFLICT when no owner would be left.
 */
export async function leaveOrganization(
  { organizationId }: LeaveOrganizationRequest,
  call: AccountCall,
): Promise<LeaveOrganizationReply> {
  const person = requirePerson(call);
  await inTransaction(call.app.postgres, async (client) => {
    const { rows } = await client.query<Left>(
      `DELETE FROM members USING users WHERE users.id = members.user_id AND members.organization_id = $1 AND members.user_id = $2
       RETURNING members.id, members.role, users.email, ${limitColumns("members")}`,
      [organizationId, person.userId],
    );
    const [left] = rows;
    if (left === undefined) throw noSuchOrganization();
    await recordAudit(
      client,
      { caller: { ...person, organizationId }, requestId: call.requestId },
      {
        action: "member.leave",
        objectId: left.id,
        before: { email: left.email, role: left.role, ...auditedLimits(left) },
      },
    );
  }).catch(lastOwner);
  return { success: true };
}
