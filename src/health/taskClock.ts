import type { HealthSource } from "./source.ts";
import type { Condition } from "./states.ts";

const maxOffsetMs = 1_000;
/** A task is delivered within milliseconds. If none of the last ones was, either the clocks differ or work is late. */
const maxDelayMs = 5_000;
const kept = 20;
const needed = 3;

/**
 * Compares the clock of a probe with that of Temporal, the only store that a probe reaches. Each task has the time at which
 * Temporal scheduled it, which is before the probe gets it.
 */
export class TaskClock implements HealthSource {
  readonly everyMs = 0;
  #delaysMs: readonly number[] = [];

  /** A task was scheduled at `scheduledMs` of Temporal's clock and arrived at `arrivedMs` of ours; both Unix ms. */
  note(scheduledMs: number, arrivedMs: number): void {
    this.#delaysMs = [...this.#delaysMs.slice(1 - kept), arrivedMs - scheduledMs];
  }

  async read(): Promise<readonly Condition[]> {
    const leastMs = Math.min(...this.#delaysMs);
    if (this.#delaysMs.length < needed) return [];
    const seconds = `${(Math.abs(leastMs) / 1_000).toFixed(1)} s`;
    if (leastMs < -maxOffsetMs)
      return [{ state: "clock_skew", message: `the clock of this machine is ${seconds} behind Temporal's, or more` }];
    if (leastMs <= maxDelayMs) return [];
    const message = `the clock of this machine is ahead of Temporal's by up to ${seconds}, or its work arrives that late`;
    return [{ state: "clock_skew", message }];
  }
}
