import { cookieHeaders, sessionCookieIn, sessionCookieOf, setSessionCookie } from "../../access/sessionCookie.ts";
import type { SignOutReply } from "../../gen/lookout/services.ts";
import type { SignOutRequest } from "../../gen/lookout/v1/auth_pb.ts";
import type { AccountCall } from "../accountCall.ts";
import { unwrapped } from "../authFailure.ts";

/**
 * POST /auth/sign-out: ends the session of the cookie, in the database too, and removes the cookie. Does nothing
 * without a session.
 */
export async function signOut(_: SignOutRequest, call: AccountCall): Promise<SignOutReply> {
  const { accounts } = call.app;
  const cookie = sessionCookieOf(call);
  if (cookie === undefined) return { success: true };
  // better-auth does not report that it could not reach the store; the look-up does.
  await accounts.sessions.find(cookie);
  const auth = await accounts.auth();
  const { headers } = await auth.api.signOut({ headers: cookieHeaders(cookie), returnHeaders: true }).catch(unwrapped);
  const ended = sessionCookieIn(headers);
  if (ended !== undefined) setSessionCookie(call, ended);
  return { success: true };
}
