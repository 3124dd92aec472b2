import { signInRequired } from "../../access/authorize.ts";
import { sessionCookieOf } from "../../access/sessionCookie.ts";
import type { GetSessionReply } from "../../gen/lookout/services.ts";
import type { GetSessionRequest } from "../../gen/lookout/v1/auth_pb.ts";
import type { AccountCall } from "../accountCall.ts";
import type { FoundSession } from "./sessionDirectory.ts";
import { sessionMessage } from "./sessionMessage.ts";

/** GET /auth/session: the session of the cookie. Rejects with AUTH_REQUIRED when it has just ended. */
export async function getSession(_: GetSessionRequest, call: AccountCall): Promise<GetSessionReply> {
  return { session: sessionMessage(await currentSession(call)) };
}

/** The session of the call's cookie. Rejects with AUTH_REQUIRED when there is none. */
export async function currentSession(call: AccountCall): Promise<FoundSession> {
  const cookie = sessionCookieOf(call);
  const session = cookie === undefined ? undefined : await call.app.accounts.sessions.find(cookie);
  if (session === undefined) throw signInRequired();
  return session;
}
