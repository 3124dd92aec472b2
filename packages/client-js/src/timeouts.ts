import type { DescMethod } from "@bufbuild/protobuf";
import { LookoutError } from "./lookoutError.ts";

/** What timers of JavaScript can wait, ms. */
const longestMs = 2_147_483_647;

/** One try of a call that is answered at once. */
const usualAttemptMs = 10_000;
/** Services whose calls may take as long as a query, for which the service has a limit of its own. */
const slowServices: ReadonlySet<string> = new Set(["QueryService", "FunnelService", "DataService"]);
/** Calls of other services that read many rows or ask another website. */
const slowCall = /^(?:Query|Preview|Check|GetHistory)/;

/** How long one try of a call may take that may be repeated, ms; undefined for as long as the call may. 0 is no limit. */
export function attemptTimeout({ parent, name }: DescMethod, given: number | undefined): number | undefined {
  if (given !== undefined) return given === 0 ? undefined : given;
  return slowServices.has(parent.name) || slowCall.test(name) ? undefined : usualAttemptMs;
}

/** The shorter of two times, of which each may be none. */
export function shorter(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}

/** Throws a VALIDATION_ERROR that names the field, where it is no time: a timer would take NaN for no time at all. */
export function requireTimeout(timeoutMs: number | undefined, field = "timeoutMs"): void {
  if (timeoutMs === undefined || (timeoutMs >= 0 && timeoutMs <= longestMs)) return;
  const message = `must be from 0 (no limit) to ${longestMs} ms, not ${String(timeoutMs)}`;
  throw new LookoutError("VALIDATION_ERROR", `${field} ${message}`, { details: [{ field, message }] });
}
