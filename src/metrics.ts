import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

export type Metrics = ReturnType<typeof createMetrics>;

/** Prometheus metrics of one process, served at GET /metrics. No label holds anything a client chose. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    observeCall: createCallObserver(registry),
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

/** Counts and times answered calls. Looking a child metric up by its labels costs more than all else here, so children are kept. */
function createCallObserver(registry: Registry) {
  const registers = [registry];
  const requests = new Counter({
    name: "lookout_requests_total",
    help: "Answered calls",
    labelNames: ["rpc", "protocol", "status"],
    registers,
  });
  const seconds = new Histogram({
    name: "lookout_request_seconds",
    help: "Time of a call, from its headers to its answer",
    labelNames: ["rpc", "protocol"],
    registers,
  });
  const children = new Map<string, { count: Counter.Internal; time: Histogram.Internal<"rpc" | "protocol"> }>();
  return (rpc: string, protocol: string, status: number, ms: number): void => {
    const key = `${rpc} ${protocol} ${status}`;
    let child = children.get(key);
    if (child === undefined) {
      child = { count: requests.labels(rpc, protocol, String(status)), time: seconds.labels(rpc, protocol) };
      children.set(key, child);
    }
    child.count.inc();
    child.time.observe(ms / 1_000);
  };
}
