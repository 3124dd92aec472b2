import { createHash } from "node:crypto";

/** The first slot is due within so long, so that nobody waits a day for the first check of a monitor that is due daily. */
const firstWithinMs = 300_000;
/** The first slot is not due before the workflow can have started. */
const minMs = 1_000;

/**
 * Where in its interval a monitor is due, whose slots begin at `fromMs` (Unix ms): its first slot follows within one interval and within five
 * minutes. In this time monitors are spread evenly by their ids, so that those made at once are not checked at once.
 */
export function phaseOf(monitorId: string, intervalMs: number, fromMs: number): number {
  const share = createHash("sha256").update(monitorId).digest().readUInt32BE() / 2 ** 32;
  const spreadMs = Math.min(intervalMs, firstWithinMs) - minMs;
  return Math.floor(fromMs + minMs + share * spreadMs) % intervalMs;
}
