import { createHash } from "node:crypto";

/** The first slot is due within this time, so that the first check of a daily monitor does not take a day. */
const firstWithinMs = 300_000;
/** The first slot is not due before the workflow can have started. */
const minMs = 1_000;

/**
 * The phase of a monitor whose slots begin at `fromMs` (Unix ms): its first slot follows within one interval and within
 * five minutes. Monitors are spread evenly over this time by their ids, so that monitors created together are not
 * checked together.
 */
export function phaseOf(monitorId: string, intervalMs: number, fromMs: number): number {
  const share = createHash("sha256").update(monitorId).digest().readUInt32BE() / 2 ** 32;
  const spreadMs = Math.min(intervalMs, firstWithinMs) - minMs;
  return Math.floor(fromMs + minMs + share * spreadMs) % intervalMs;
}
