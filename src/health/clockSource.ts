import type { Pool } from "pg";
import type { HealthMetrics } from "./healthMetrics.ts";
import type { HealthSource } from "./source.ts";

/**
 * How far our clock is ahead of another one. The true value may differ by `errorMs`, since the answer took up to `2 * errorMs`.
 */
export type ClockOffset = { readonly offsetMs: number; readonly errorMs: number };

/** The other clock said `theirsMs` at some time between `beforeMs` and `afterMs` of ours. */
export function clockOffset(beforeMs: number, theirsMs: number, afterMs: number): ClockOffset {
  return { offsetMs: (beforeMs + afterMs) / 2 - theirsMs, errorMs: (afterMs - beforeMs) / 2 };
}

/** Machines that synchronise their clocks (NTP) differ by a few milliseconds. */
const maxOffsetMs = 1_000;

export function isSkewed({ offsetMs, errorMs }: ClockOffset): boolean {
  return Math.abs(offsetMs) - errorMs > maxOffsetMs;
}

const lookEveryMs = 15_000;

/**
 * Compares the clock of this machine with PostgreSQL's. All processes compare with the same clock, and so with each other. An
 * erasure ends at a time of PostgreSQL's clock, and the clock of the process that received a row decides whether it was received
 * before that.
 */
export function clockSource(
  postgres: Pick<Pool, "query">,
  metrics: Pick<HealthMetrics, "clockOffsetSeconds">,
): HealthSource {
  // Absent until the first answer, since zero would be a figure too.
  metrics.clockOffsetSeconds.remove();
  return {
    everyMs: lookEveryMs,
    async read() {
      const beforeMs = Date.now();
      const { rows } = await postgres.query<{ at: number }>(
        "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS at",
      );
      const offset = clockOffset(beforeMs, rows[0]?.at ?? Number.NaN, Date.now());
      metrics.clockOffsetSeconds.set(offset.offsetMs / 1_000);
      if (!isSkewed(offset)) return [];
      const seconds = (Math.abs(offset.offsetMs) / 1_000).toFixed(1);
      const direction = offset.offsetMs > 0 ? "ahead of" : "behind";
      return [{ state: "clock_skew", message: `the clock of this machine is ${seconds} s ${direction} PostgreSQL's` }];
    },
  };
}
