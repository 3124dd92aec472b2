import type { HealthSource } from "./source.ts";
import type { Condition } from "./states.ts";

/** The state of the log of accepted rows: whether it keeps up. */
export type LogHealth = { readonly state: "ok" | "full"; readonly lagMs: number };

/** What the service promises: a row can be queried within this time of its acknowledgement. */
const promisedMs = 2_000;

/**
 * Reports a lag of the log of accepted rows, and of queries after a row's commit (`applyLagMs`): rows wait first in the log and
 * then in QuestDB.
 */
export function logSource(log: LogHealth, readApplyLagMs: () => number): HealthSource {
  return {
    everyMs: 0,
    async read() {
      const conditions: Condition[] = [];
      if (log.state === "full")
        conditions.push({ state: "log_full", message: "the log takes no rows, or has little room left" });
      const applyLagMs = readApplyLagMs();
      if (log.lagMs > promisedMs)
        conditions.push({
          state: "store_lag",
          of: "log",
          message: `accepted rows have been waiting for ${seconds(log.lagMs)} to be stored`,
        });
      if (applyLagMs > promisedMs)
        conditions.push({
          state: "store_lag",
          of: "questdb",
          message: `stored rows have been waiting for ${seconds(applyLagMs)} until QuestDB shows them`,
        });
      return conditions;
    },
  };
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
