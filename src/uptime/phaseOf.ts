import { createHash } from "node:crypto";

/** Where in its interval a monitor is due: spread evenly by its id, so that monitors made at once are not checked at once. */
export function phaseOf(monitorId: string, intervalMs: number): number {
  const number = createHash("sha256").update(monitorId).digest().readUInt32BE();
  return Math.floor((number / 2 ** 32) * intervalMs);
}
