import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

import { cacheCounts } from "./cacheCounts.ts";
import { CallMetrics } from "./callMetrics.ts";
import { lostLogLines } from "./log.ts";

export type Metrics = ReturnType<typeof createMetrics>;

/** Prometheus metrics of one process, served at GET /metrics. No label contains text chosen by a client. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers });
  const histogram = (name: string, help: string, buckets: number[]) =>
    new Histogram({ name, help, buckets, registers });
  const calls = new CallMetrics(registry);
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
    caches: cacheCounts(registry),
    eventsAccepted: counter("lookout_events_accepted_total", "Events stored", "table"),
    eventsDropped: counter("lookout_events_dropped_total", "Events not stored, by reason", "reason"),
    commitSeconds: histogram(
      "lookout_commit_seconds",
      "Time of one group commit",
      [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    ),
    visibleSeconds: histogram(
      "lookout_visible_seconds",
      "Time from the acknowledgement of an event or click until queries see it, measured for one commit every five seconds",
      [0.25, 0.5, 1, 2, 5, 15, 60],
    ),
    checkLatenessSeconds: histogram(
      "lookout_check_lateness_seconds",
      "Time from the slot of a monitor until its check begins",
      [0.1, 0.5, 1, 5, 15, 60, 300],
    ),
    checksLost: withLossReasons(
      counter(
        "lookout_checks_lost_total",
        "Slots of monitors that stay unknown: `skipped` for a later one, `too_late`, `no_answer` of a region, or `not_stored`",
        "reason",
      ),
    ),
    logBytes: gauge("lookout_log_bytes", "Size of the log on disk"),
    logRecords: gauge("lookout_log_rows", "Accepted rows that wait in the log to be stored"),
    logMaxBytes: gauge("lookout_log_max_bytes", "Size past which events are answered 503"),
    logOldestSeconds: gauge(
      "lookout_log_oldest_timestamp_seconds",
      "Unix time at which the oldest row that waits in the log was accepted; 0 when none waits",
    ),
    logDamaged: counter(
      "lookout_log_damaged_total",
      "Damaged stretches of the log that were skipped; their files are kept aside",
    ),
    logDamagedBytes: counter(
      "lookout_log_damaged_bytes_total",
      "Bytes of the log that failed their checksum and were skipped",
    ),
    brokerAppendSeconds: histogram(
      "lookout_broker_append_seconds",
      "With KAFKA_BROKERS: time until two brokers have the rows of a call",
      [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    ),
    brokerPendingBytes: gauge(
      "lookout_broker_pending_bytes",
      "With KAFKA_BROKERS: rows in memory that the brokers have not taken yet",
    ),
    brokerUnavailable: gauge(
      "lookout_broker_unavailable",
      "With KAFKA_BROKERS: 1 while the brokers of a partition do not take rows",
    ),
    consumedRows: counter(
      "lookout_consumed_rows_total",
      "Rows of the log that a replica's consumer has stored or kept out",
    ),
    consumerLagSeconds: gauge(
      "lookout_consumer_lag_seconds",
      "How long the oldest row of the log that a replica's consumer has not stored has been waiting",
    ),
    deadLetters: counter(
      "lookout_dead_letters_total",
      "Acknowledged rows that QuestDB refused and that became dead letters",
    ),
    erasedRows: counter(
      "lookout_erased_rows_total",
      "Rows of erased ranges that came late and were not stored",
      "table",
    ),
    suspendedTables: gauge(
      "lookout_questdb_table_suspended",
      "1 while QuestDB has suspended the table, so that queries do not see its new rows; `node` with several QuestDBs",
      "node",
      "table",
    ),
    unappliedTransactions: gauge(
      "lookout_questdb_unapplied_transactions",
      "Transactions of the table that QuestDB has committed and that queries do not see yet; `node` with several QuestDBs",
      "node",
      "table",
    ),
    failedMappings: counter(
      "lookout_questdb_failed_mappings_total",
      "Files that QuestDB could not map into memory, as this process saw it, by what QuestDB was doing: a kind of statement, `export`, `write`, or `apply` of a table that it suspended",
      "cause",
    ),
    disagreeingReads: counter(
      "lookout_disagreeing_reads_total",
      "Corrections that kept stored sessions or daily records, because a second read found events that the first one lacked, or events came meanwhile; they are tried again",
    ),
    commitFailures: counter("lookout_commit_failures_total", "Group commits that failed"),
  };
}

/** Why a slot of a monitor stays unknown; the labels of lookout_checks_lost_total. */
const lossReasons = ["skipped", "too_late", "no_answer", "not_stored"] as const;

export type LossReason = (typeof lossReasons)[number];

/** Serves all series from the start: of one that begins with its first loss, a rate does not see that loss. */
function withLossReasons(counter: Counter<"reason">): { inc(labels: { reason: LossReason }, by?: number): void } {
  for (const reason of lossReasons) counter.inc({ reason }, 0);
  return counter;
}
