import { validationError } from "../../errors/errors.ts";
import type { ChangePasswordReply } from "../../gen/lookout/services.ts";
import type { ChangePasswordRequest } from "../../gen/lookout/v1/auth_pb.ts";
import type { AccountCall } from "../accountCall.ts";
import { auditCredentials } from "../session/auditSignIn.ts";
import { handOver } from "../session/newSession.ts";
import { requirePerson } from "../session/sessionMessage.ts";
import { ownPasswordSet } from "./ownPasswordSet.ts";
import { provePassword } from "./provePassword.ts";

/**
 * POST /auth/change-password: changes the person's password, ends all other sessions and gives this one a new cookie.
 * Rejects with VALIDATION_ERROR for a wrong current password.
 */
export async function changePassword(
  { currentPassword, newPassword }: ChangePasswordRequest,
  call: AccountCall,
): Promise<ChangePasswordReply> {
  const { organizationId } = requirePerson(call);
  if (newPassword === currentPassword)
    throw validationError([{ field: "newPassword", message: "is the password as it is; choose another one" }]);
  const body = { currentPassword, newPassword, revokeOtherSessions: true };
  const cookies = await provePassword("currentPassword", call, async (auth, headers) => {
    const answer = await auth.api.changePassword({ body, headers, returnHeaders: true });
    return answer.headers;
  });
  const { caller } = await handOver(cookies, call, organizationId);
  await ownPasswordSet(caller.userId, call);
  await auditCredentials(caller, "member.change_password", call);
  return { success: true };
}
