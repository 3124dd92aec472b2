import { readUserAgent } from "../../visitors/userAgent.ts";
import type { AccountCall } from "../accountCall.ts";

/** Headers for better-auth's functions: the session cookie, and a short device name instead of the user agent. */
export function signInHeaders(call: Pick<AccountCall, "header">): Headers {
  return new Headers({ "user-agent": deviceOf(call.header("user-agent")) });
}

/** Such as "Firefox on Windows". The full header would reveal more about a person than the list of sessions needs. */
function deviceOf(userAgent: string | undefined): string {
  const { browser, os } = readUserAgent(userAgent);
  if (browser === undefined) return os ?? "Unknown device";
  return os === undefined ? browser : `${browser} on ${os}`;
}
