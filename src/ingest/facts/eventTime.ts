import { oldestKeptMs } from "../../lifecycle/retention/periods.ts";
import type { Drop } from "../dropReasons.ts";

/** What decides about the times that senders give. */
export type Arrival = {
  /** Unix ms */
  readonly arrivedAtMs: number;
  readonly maxClockAheadMs: number;
  /** Oldest events that are taken, in whole UTC days. */
  readonly maxEventAgeDays: number;
};

/**
 * When an event happened (Unix ms), or why it is not stored. The sender's clock counts, unless it is too far ahead: such events would
 * not be seen before their time comes. Each day that has events costs QuestDB a partition, so how many days a stranger may name is bounded.
 */
export function readEventTime(sentMs: number | undefined, arrival: Arrival): number | Drop {
  const { arrivedAtMs, maxClockAheadMs, maxEventAgeDays } = arrival;
  if (sentMs === undefined || sentMs > arrivedAtMs + maxClockAheadMs) return arrivedAtMs;
  const oldestMs = oldestKeptMs(arrivedAtMs, maxEventAgeDays);
  if (sentMs >= oldestMs) return sentMs;
  const oldestDay = new Date(oldestMs).toISOString().slice(0, 10);
  return {
    reason: "expired",
    field: "timestamp",
    message: `must not be before ${oldestDay} (UTC), because events may be up to ${maxEventAgeDays} days old`,
  };
}
