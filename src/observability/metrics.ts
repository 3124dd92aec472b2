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
    commitSeconds: new Histogram({
      name: "lookout_commit_seconds",
      help: "Time of one group commit",
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    visibleSeconds: new Histogram({
      name: "lookout_visible_seconds",
      help: "Time from the acknowledgement of an event or click until queries see it, measured for one commit every five seconds",
      buckets: [0.25, 0.5, 1, 2, 5, 15, 60],
      registers,
    }),
    checkLatenessSeconds: new Histogram({
      name: "lookout_check_lateness_seconds",
      help: "Time from the slot of a monitor until its check begins",
      buckets: [0.1, 0.5, 1, 5, 15, 60, 300],
      registers,
    }),
    checksLost: withReasons(
      new Counter({
        name: "lookout_checks_lost_total",
        help: "Slots of monitors that stay unknown: `skipped` for a later one, `too_late`, `no_answer` of a region, or `not_stored`",
        labelNames: ["reason"],
        registers,
      }),
      lossReasons,
    ),
    logBytes: new Gauge({ name: "lookout_log_bytes", help: "Size of the log on disk", registers }),
    logRecords: new Gauge({
      name: "lookout_log_rows",
      help: "Accepted rows that wait in the log to be stored",
      registers,
    }),
    logMaxBytes: new Gauge({
      name: "lookout_log_max_bytes",
      help: "Size past which events are answered 503",
      registers,
    }),
    logOldestSeconds: new Gauge({
      name: "lookout_log_oldest_timestamp_seconds",
      help: "Unix time at which the oldest row that waits in the log was accepted; 0 when none waits",
      registers,
    }),
    logDamaged: new Counter({
      name: "lookout_log_damaged_total",
      help: "Damaged stretches of the log that were skipped; their files are kept aside",
      registers,
    }),
    logDamagedBytes: new Counter({
      name: "lookout_log_damaged_bytes_total",
      help: "Bytes of the log that failed their checksum and were skipped",
      registers,
    }),
    brokerAppendSeconds: new Histogram({
      name: "lookout_broker_append_seconds",
      help: "With KAFKA_BROKERS: time until two brokers have the rows of a call",
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
      registers,
    }),
    brokerPendingBytes: new Gauge({
      name: "lookout_broker_pending_bytes",
      help: "With KAFKA_BROKERS: rows in memory that the brokers have not taken yet",
      registers,
    }),
    brokerUnavailable: new Gauge({
      name: "lookout_broker_unavailable",
      help: "With KAFKA_BROKERS: 1 while the brokers of a partition do not take rows",
      registers,
    }),
    consumedRows: new Counter({
      name: "lookout_consumed_rows_total",
      help: "Rows of the log that a replica's consumer has stored or kept out",
      registers,
    }),
    consumerLagSeconds: new Gauge({
      name: "lookout_consumer_lag_seconds",
      help: "How long the oldest row of the log that a replica's consumer has not stored has been waiting",
      registers,
    }),
    deadLetters: new Counter({
      name: "lookout_dead_letters_total",
      help: "Acknowledged rows that QuestDB refused and that became dead letters",
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
      help: "1 while QuestDB has suspended the table, so that queries do not see its new rows; `node` with several QuestDBs",
      labelNames: ["node", "table"],
      registers,
    }),
    unappliedTransactions: new Gauge({
      name: "lookout_questdb_unapplied_transactions",
      help: "Transactions of the table that QuestDB has committed and that queries do not see yet; `node` with several QuestDBs",
      labelNames: ["node", "table"],
      registers,
    }),
    failedMappings: new Counter({
      name: "lookout_questdb_failed_mappings_total",
      help: "Files that QuestDB could not map into memory, as this process saw it, by what QuestDB was doing: a kind of statement, `export`, `write`, or `apply` of a table that it suspended",
      labelNames: ["cause"],
      registers,
    }),
    disagreeingReads: new Counter({
      name: "lookout_disagreeing_reads_total",
      help: "Corrections that kept stored sessions or daily records, because a second read found events that the first one lacked, or events came meanwhile; they are tried again",
      registers,
    }),
    commitFailures: new Counter({
      name: "lookout_commit_failures_total",
      help: "Group commits that failed",
      registers,
    }),
  };
}

/** Why a slot of a monitor stays unknown; the labels of lookout_checks_lost_total. */
const lossReasons = ["skipped", "too_late", "no_answer", "not_stored"] as const;

export type LossReason = (typeof lossReasons)[number];

/** Serves a counter's series from the start: of one that begins with its first loss, a rate does not see that loss. */
function withReasons<Reason extends string>(
  counter: Counter<"reason">,
  reasons: readonly Reason[],
): { inc(labels: { reason: Reason }, by?: number): void } {
  for (const reason of reasons) counter.inc({ reason }, 0);
  return counter;
}
