import { Counter, Gauge, type Registry } from "prom-client";
import { type StateName, states } from "./states.ts";

/**
 * 1 for each current state. Every process reports the states that it can see. The labels `severity` and `section` come from
 * src/health/states.ts, so that two alert rules cover all states, including later ones.
 */
export function addDegradedMetric(
  registry: Registry,
  names: readonly StateName[],
  readCurrent: () => readonly StateName[],
): void {
  new Gauge({
    name: "lookout_degraded",
    help: "1 while a promise is not kept, by the state that /readyz names; as last seen by this process; with the state's `severity` and `section` of troubles",
    labelNames: ["state", "severity", "section"],
    registers: [registry],
    collect() {
      const current = new Set(readCurrent());
      for (const state of names) {
        const { severity, section } = states[state];
        this.set({ state, severity, section }, current.has(state) ? 1 : 0);
      }
    },
  });
}

/** `readCount` is how many reads this process has refused. */
export function addRefusalsMetric(registry: Registry, readCount: () => number): void {
  new Counter({
    name: "lookout_questdb_reads_refused_total",
    help: "Reads of long ranges that were answered 503, since QuestDB could not map their files or had mapped nearly as many as it may",
    registers: [registry],
    collect() {
      this.reset();
      this.inc(readCount());
    },
  });
}

/** Measurements of disk, clock and other sources. */
export function createHealthMetrics(registry: Registry) {
  const registers = [registry];
  return {
    diskFreeBytes: new Gauge({
      name: "lookout_disk_free_bytes",
      help: "Bytes that are free on the disk of DATA_DIR (data) and of QuestDB, where that is another one and can be seen (questdb)",
      labelNames: ["disk"],
      registers,
    }),
    diskSecondsLeft: new Gauge({
      name: "lookout_disk_seconds_left",
      help: "When the disk is full at the rate of the last hour; absent while it does not fill, and in the first half hour",
      labelNames: ["disk"],
      registers,
    }),
    questdbMaps: new Gauge({
      name: "lookout_questdb_maps",
      help: "Files and other regions of memory that QuestDB has mapped; absent where it runs on another machine or as another user; `node` with several QuestDBs",
      labelNames: ["node"],
      registers,
    }),
    questdbMapLimit: new Gauge({
      name: "lookout_questdb_map_limit",
      help: "How many QuestDB may map (vm.max_map_count), where it is known; `node` with several QuestDBs",
      labelNames: ["node"],
      registers,
    }),
    clockOffsetSeconds: new Gauge({
      name: "lookout_clock_offset_seconds",
      help: "How far the clock of this machine is ahead of PostgreSQL's",
      registers,
    }),
  };
}

export type HealthMetrics = ReturnType<typeof createHealthMetrics>;
