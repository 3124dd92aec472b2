import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

import { asMetric, CallMetric } from "./gateway/callMetric.ts";

export type Metrics = ReturnType<typeof createMetrics>;

/** Prometheus metrics of one process, served at GET /metrics. No label holds anything a client chose. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const calls = new CallMetric();
  registry.registerMetric(asMetric(calls));
  return {
    registry,
    calls,
    eventsAccepted: new Counter({
      name: "lookout_events_accepted_total",
      help: "Events stored",
      labelNames: ["table"],
      registers,
    }),
    eventsDropped: new Counter({
      name: "lookout_events_dropped_total",
      help: "Events not stored, by reason",
      labelNames: ["reason"],
      registers,
    }),
    pendingRows: new Gauge({ name: "lookout_pending_rows", help: "Rows that wait for their commit", registers }),
    commitSeconds: new Histogram({ name: "lookout_commit_seconds", help: "Time of one group commit", registers }),
    commitFailures: new Counter({
      name: "lookout_commit_failures_total",
      help: "Group commits that failed",
      registers,
    }),
  };
}
