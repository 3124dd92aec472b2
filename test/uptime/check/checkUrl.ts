import { parseAddressRanges } from "../../../src/outbound/addressRanges.ts";
import type { CheckOutcome, CheckTarget } from "../../../src/uptime/check/checkTypes.ts";
import { runCheck } from "../../../src/uptime/check/runCheck.ts";

const loopback = parseAddressRanges("127.0.0.0/8,::1");
export const maxBodyBytes = 1_000_000;

/** One check of a URL, by default a GET that expects 200 to 299, with loopback addresses allowed. */
export function check(
  url: string,
  more: Partial<CheckTarget> = {},
  { recheck = false, allowed = loopback } = {},
): Promise<CheckOutcome> {
  const target: CheckTarget = {
    url,
    method: "GET",
    headers: {},
    expectedStatus: ["200-299"],
    keyword: "",
    timeoutMs: 5_000,
    cacheBust: false,
    ipVersion: "auto",
    httpVersion: "auto",
    degradedAfterMs: 0,
    ...more,
  };
  return runCheck(target, {
    allowed,
    maxBodyBytes,
    signal: new AbortController().signal,
    recheckUntilMs: recheck ? Number.POSITIVE_INFINITY : 0,
  });
}
