import { recordAudit } from "../../audit/recordAudit.ts";
import type { ChangeMemberRoleReply, RemoveMemberReply } from "../../gen/lookout/services.ts";
import type { ChangeMemberRoleRequest, RemoveMemberRequest } from "../../gen/lookout/v1/auth_pb.ts";
import { inTransaction } from "../../store/postgres/inTransaction.ts";
import type { AccountCall } from "../accountCall.ts";
import { requirePerson } from "../session/sessionMessage.ts";
import { lastOwner, lockMember, memberMessage, requireOwner } from "./member.ts";
import { auditedLimits, requireUnlimited } from "./memberLimits.ts";

/**
 * POST /auth/members/change-role: changes a member's role, at once in all their sessions. Rejects with
 * NOT_FOUND, with ACCESS_DENIED when a person who is no owner makes or changes an owner, and with CONFLICT when no
 * owner would be left or an owner would be limited to websites.
 */
export async function changeMemberRole(
  { id, role }: ChangeMemberRoleRequest,
  call: AccountCall,
): Promise<ChangeMemberRoleReply> {
  const person = requirePerson(call);
  if (role === "owner") requireOwner(person);
  const member = await inTransaction(call.app.postgres, async (client) => {
    const before = await lockMember(client, id, person);
    if (before.role === role) return before;
    if (role === "owner") requireUnlimited(before);
    await client.query("UPDATE members SET role = $1 WHERE id = $2", [role, before.id]);
    await recordAudit(client, call, {
      action: "member.change_role",
      objectId: before.id,
      before: { email: before.email, role: before.role },
      after: { email: before.email, role },
    });
    return { ...before, role };
  }).catch(lastOwner);
  return { member: memberMessage(member) };
}

/**
 * POST /auth/members/remove: removes a member, at once in all their sessions. The person's account stays.
 * Rejects with NOT_FOUND, with ACCESS_DENIED when a person who is no owner removes an owner, and with CONFLICT when no
 * owner would be left.
 */
export async function removeMember({ id }: RemoveMemberRequest, call: AccountCall): Promise<RemoveMemberReply> {
  const person = requirePerson(call);
  await inTransaction(call.app.postgres, async (client) => {
    const member = await lockMember(client, id, person);
    await client.query("DELETE FROM members WHERE id = $1", [member.id]);
    await recordAudit(client, call, {
      action: "member.remove",
      objectId: member.id,
      before: { email: member.email, role: member.role, ...auditedLimits(member) },
    });
  }).catch(lastOwner);
  return { success: true };
}
