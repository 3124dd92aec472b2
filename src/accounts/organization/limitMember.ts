import { changedFields } from "../../audit/changedFields.ts";
import { recordAudit } from "../../audit/recordAudit.ts";
import type { LimitMemberReply } from "../../gen/lookout/services.ts";
import type { LimitMemberRequest } from "../../gen/lookout/v1/auth_pb.ts";
import { inTransaction } from "../../store/postgres/inTransaction.ts";
import type { AccountCall } from "../accountCall.ts";
import { requirePerson } from "../session/sessionMessage.ts";
import { lockMember, memberMessage } from "./member.ts";
import { readLimits, shownLimits } from "./memberLimits.ts";

/**
 * POST /auth/members/limit: limits a member to websites and scopes, at once in all their sessions and streams. Empty lists
 * remove the limit. Rejects with NOT_FOUND, with ACCESS_DENIED for an owner if the person is none, and with VALIDATION_ERROR
 * as readLimits does.
 */
export async function limitMember(request: LimitMemberRequest, call: AccountCall): Promise<LimitMemberReply> {
  const person = requirePerson(call);
  const member = await inTransaction(call.app.postgres, async (client) => {
    const before = await lockMember(client, request.id, person);
    const limits = await readLimits(client, request, before.role, person);
    const { email } = before;
    const changed = changedFields(shownLimits(before), shownLimits(limits));
    if (changed === undefined) return before;
    await client.query("UPDATE members SET website_ids = $1, scopes = $2 WHERE id = $3", [
      limits.websiteIds,
      limits.scopes,
      before.id,
    ]);
    await recordAudit(client, call, {
      action: "member.limit",
      objectId: before.id,
      before: { email, ...changed.before },
      after: { email, ...changed.after },
    });
    return { ...before, ...limits };
  });
  return { member: memberMessage(member) };
}
