import { LookoutError } from "./lookoutError.ts";

/** What timers of JavaScript can wait, ms. */
const longestMs = 2_147_483_647;

/** Throws a VALIDATION_ERROR that names timeoutMs, where it is none: a timer would take NaN for no time at all. */
export function requireTimeout(timeoutMs: number | undefined): void {
  if (timeoutMs === undefined || (timeoutMs >= 0 && timeoutMs <= longestMs)) return;
  const message = `must be from 0 (no limit) to ${longestMs} ms, not ${String(timeoutMs)}`;
  throw new LookoutError("VALIDATION_ERROR", `timeoutMs ${message}`, { details: [{ field: "timeoutMs", message }] });
}
