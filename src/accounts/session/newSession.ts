import { cookieHeaders, cookieValue, sessionCookieIn, setSessionCookie } from "../../access/sessionCookie.ts";
import type { AccountCall } from "../accountCall.ts";
import type { Auth } from "../auth.ts";
import { hashToken } from "../authStore.ts";
import type { FoundSession } from "./sessionDirectory.ts";

/** Ends a session that better-auth has just created and that its person must not get. */
export async function endSession(auth: Auth, headers: Headers): Promise<void> {
  const setCookie = sessionCookieIn(headers);
  if (setCookie !== undefined) await auth.api.signOut({ headers: cookieHeaders(cookieValue(setCookie)) });
}

/**
 * Hands a session that better-auth has just created to the person: its cookie in the answer, and the session itself. It
 * is switched to `organizationId` if given.
 */
export async function handOver(headers: Headers, call: AccountCall, organizationId?: string): Promise<FoundSession> {
  const { accounts, postgres } = call.app;
  const setCookie = sessionCookieIn(headers);
  if (setCookie === undefined) throw new Error("better-auth created no session");
  const cookie = cookieValue(setCookie);
  const [token = ""] = decodeURIComponent(cookie).split(".");
  if (organizationId)
    await postgres.query("UPDATE sessions SET active_organization_id = $1 WHERE token_hash = $2", [
      organizationId,
      hashToken(token),
    ]);
  const session = await accounts.sessions.find(cookie);
  if (session === undefined) throw new Error("the session that was just created is missing");
  await postgres.query("DELETE FROM sessions WHERE user_id = $1 AND expires_at < now()", [session.caller.userId]);
  setSessionCookie(call, setCookie);
  return session;
}
