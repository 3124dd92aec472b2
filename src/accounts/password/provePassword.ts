import { cookieHeaders, sessionCookieOf } from "../../access/sessionCookie.ts";
import { validationError } from "../../errors/errors.ts";
import type { AccountCall } from "../accountCall.ts";
import type { Auth } from "../auth.ts";
import { refusalCode, unwrapped } from "../authFailure.ts";
import { currentSession } from "../session/getSession.ts";
import { signInHeaders } from "../session/signInHeaders.ts";

/**
 * Runs an action that a signed-in person must confirm with the password, in the request's `field`. Attempts count like
 * sign-ins, so an unattended session is no way around that limit.
 *
 * Rejects with VALIDATION_ERROR for a wrong password, and with RATE_LIMIT_EXCEEDED after too many.
 */
export async function provePassword<Answer>(
  field: string,
  call: AccountCall,
  work: (auth: Auth, headers: Headers) => Promise<Answer>,
): Promise<Answer> {
  const { accounts } = call.app;
  const { email } = await currentSession(call);
  const forget = await accounts.signInLimit.take("sign-in", email, call);
  const auth = await accounts.auth();
  const answer = await work(auth, sessionHeaders(call)).catch((error: unknown) => {
    const code = refusalCode(error);
    if (code === "INVALID_PASSWORD") throw validationError([{ field, message: "is not your password" }]);
    if (code === "CREDENTIAL_ACCOUNT_NOT_FOUND")
      throw validationError([
        { field, message: "is none: your account has no password. Ask for one with POST /auth/request-password-reset" },
      ]);
    if (code === "PASSWORD_TOO_LONG") throw validationError([{ field, message: "is too long; use fewer characters" }]);
    unwrapped(error);
  });
  await forget();
  return answer;
}

/** Headers with the call's session, for better-auth. */
export function sessionHeaders(call: AccountCall): Headers {
  const headers = cookieHeaders(sessionCookieOf(call));
  for (const [name, value] of signInHeaders(call)) headers.set(name, value);
  return headers;
}
