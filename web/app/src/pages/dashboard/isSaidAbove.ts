import type { LookoutError } from "../../api/client.ts";

/** Failures of the service as a whole: where one question meets one of them, the others do too. */
const ofService: ReadonlySet<LookoutError["code"]> = new Set([
  "UNREACHABLE",
  "BAD_ANSWER",
  "TIMEOUT",
  "SERVICE_UNAVAILABLE",
  "RATE_LIMIT_EXCEEDED",
]);

/** Whether the notice above all parts, about `above`, explains an error of a part too. */
export function isSaidAbove(error: Pick<LookoutError, "code">, above: Pick<LookoutError, "code"> | undefined): boolean {
  return above !== undefined && ofService.has(above.code) && ofService.has(error.code);
}
