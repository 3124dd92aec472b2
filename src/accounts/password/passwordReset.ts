import type { Config } from "../../config.ts";
import { ApiError, validationError } from "../../errors/errors.ts";
import type { RequestPasswordResetReply, ResetPasswordReply } from "../../gen/lookout/services.ts";
import type { RequestPasswordResetRequest, ResetPasswordRequest } from "../../gen/lookout/v1/auth_pb.ts";
import type { AccountCall } from "../accountCall.ts";
import { refusalCode, unwrapped } from "../authFailure.ts";
import { asciiAddress } from "../emailAddress.ts";
import { auditCredentials } from "../session/auditSignIn.ts";
import { ownPasswordSet } from "./ownPasswordSet.ts";

/**
 * POST /auth/request-password-reset: mails a link to set a new password. The answer does not wait for that, so neither
 * its text nor its timing reveals whether the account exists.
 *
 * Rejects with CONFLICT if the service has no mail server, and with RATE_LIMIT_EXCEEDED after too many requests.
 */
export async function requestPasswordReset(
  { email: sentEmail }: RequestPasswordResetRequest,
  call: AccountCall,
): Promise<RequestPasswordResetReply> {
  const { accounts, config, log } = call.app;
  const email = asciiAddress(sentEmail);
  requireMail(config);
  await accounts.signInLimit.take("reset", email, call);
  const auth = await accounts.auth();
  auth.api.requestPasswordReset({ body: { email } }).catch((error: unknown) => {
    // An invalid e-mail address has no account.
    if (refusalCode(error) !== "VALIDATION_ERROR") log.error({ err: error }, "a new password could not be prepared");
  });
  return { success: true };
}

/**
 * POST /auth/reset-password: sets a new password with the token of the link and ends all of the person's sessions.
 * Rejects with VALIDATION_ERROR for a token that is wrong, used or expired.
 */
export async function resetPassword(
  { token, newPassword }: ResetPasswordRequest,
  call: AccountCall,
): Promise<ResetPasswordReply> {
  const auth = await call.app.accounts.auth();
  const { internalAdapter } = await auth.$context;
  // The reset says nothing of the person, and ends the token.
  const requested = await internalAdapter.findVerificationValue(`reset-password:${token}`);
  await auth.api.resetPassword({ body: { token, newPassword } }).catch((error: unknown) => {
    const code = refusalCode(error);
    if (code === "INVALID_TOKEN" || code === "USER_NOT_FOUND")
      throw validationError([
        {
          field: "token",
          message: "is wrong, was used or has expired; ask for a new link with POST /auth/request-password-reset",
        },
      ]);
    throw tooLong(error);
  });
  if (requested === null) throw new Error("a password was reset with a token that better-auth keeps in another form");
  await ownPasswordSet(requested.value, call);
  await auditCredentials({ userId: requested.value }, "member.reset_password", call);
  return { success: true };
}

/** better-auth counts UTF-16 units, the contract characters. */
function tooLong(error: unknown): unknown {
  if (refusalCode(error) !== "PASSWORD_TOO_LONG") unwrapped(error);
  return validationError([{ field: "newPassword", message: "is too long; use fewer characters" }]);
}

/** Throws CONFLICT if the service has no mail server to send links with. */
function requireMail({ notifications }: Pick<Config, "notifications">): void {
  if (notifications.smtpUrl === undefined)
    throw new ApiError(
      "CONFLICT",
      "This service has no mail server, so it cannot send the link. Its operator can set SMTP_URL and SMTP_FROM",
    );
}
