import { oldestKeptMs } from "../../retention/periods.ts";
import type { Drop } from "../dropReasons.ts";

/** The data that sender times are checked against. */
export type Arrival = {
  /** Unix ms */
  readonly arrivedAtMs: number;
  readonly maxClockAheadMs: number;
  /** The oldest events accepted, in whole UTC days. */
  readonly maxEventAgeDays: number;
};

/**
 * When an event happened (Unix ms), or why it is not stored. The sender's clock is used unless it is too far ahead, as
 * such events would be invisible until then. Each day with events costs QuestDB a partition, so the range of days that
 * a sender can choose is limited.
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
