import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

import { asMetric, CallMetric } from "./gateway/callMetric.ts";
import { lostLogLines } from "./log.ts";

export type Metrics = ReturnType<typeof createMetrics>;

/** Prometheus metrics of one process, served at GET /metrics. No label holds anything a client chose. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const calls = new CallMetric();
  registry.registerMetric(asMetric(calls));
  new Counter({
    name: "lookout_log_lines_lost_total",
    help: "Log lines that could not be written to standard output",
    registers,
    collect() {
      this.reset();
      this.inc(lostLogLines());
    },
  });
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
    spoolBytes: new Gauge({ name: "lookout_spool_bytes", help: "Size of the spool on disk", registers }),
    spoolRows: new Gauge({ name: "lookout_spool_rows", help: "Rows that wait in the spool", registers }),
    spoolMaxBytes: new Gauge({
      name: "lookout_spool_max_bytes",
      help: "Size past which events are answered 503; 0 without a spool",
      registers,
    }),
    spoolOldestSeconds: new Gauge({
      name: "lookout_spool_oldest_timestamp_seconds",
      help: "Unix time at which the oldest rows in the spool were accepted; 0 when it is empty",
      registers,
    }),
    spoolDamagedBytes: new Counter({
      name: "lookout_spool_damaged_bytes_total",
      help: "Bytes of the spool that failed their checksum and were skipped",
      registers,
    }),
    journaledClicks: new Gauge({
      name: "lookout_journaled_clicks",
      help: "Clicks on short links that are kept on disk and not stored yet",
      registers,
    }),
    deadLetters: new Counter({
      name: "lookout_dead_letters_total",
      help: "Acknowledged rows that QuestDB refused and that were put aside",
      registers,
    }),
    erasedRows: new Counter({
      name: "lookout_erased_rows_total",
      help: "Rows of erased ranges that came late and were not stored",
      labelNames: ["table"],
      registers,
    }),
    suspendedTables: new Gauge({
      name: "lookout_questdb_table_suspended",
      help: "1 while QuestDB has suspended the table, so that queries do not see its new rows",
      labelNames: ["table"],
      registers,
    }),
    unappliedTransactions: new Gauge({
      name: "lookout_questdb_unapplied_transactions",
      help: "Transactions of the table that QuestDB has committed and that queries do not see yet",
      labelNames: ["table"],
      registers,
    }),
    commitFailures: new Counter({
      name: "lookout_commit_failures_total",
      help: "Group commits that failed",
      registers,
    }),
  };
}
