/**
 * The states in which the service does not keep a promise. `npm run generate` writes them into docs/operate/health.md; each has a section
 * in docs/operate/troubles.md.
 */
export type StateName = keyof typeof states;

/** The kinds of processes that report states. */
export type ProcessKind = "api" | "worker" | "probe" | "consumer";

/** As in the alert rules of monitoring/prometheus/alerts.yml. */
export type Severity = "critical" | "warning";

type State = {
  /** What is wrong, as a sentence of the docs. */
  readonly meaning: string;
  /** The section of docs/operate/troubles.md. */
  readonly section: string;
  /** The severity of its alert: `critical` needs action at once, `warning` within a day. */
  readonly severity: Severity;
  readonly reportedBy: readonly ProcessKind[];
};

const apiAndWorker = ["api", "worker"] as const;
/** The processes that have rows on their way to QuestDB. */
const rowKeepers = ["api", "worker", "consumer"] as const;

export const states = {
  questdb_unavailable: {
    meaning: "QuestDB does not answer, or its tables are not prepared yet",
    section: "a-store-is-unavailable",
    severity: "critical",
    reportedBy: rowKeepers,
  },
  postgres_unavailable: {
    meaning: "PostgreSQL does not answer",
    section: "a-store-is-unavailable",
    severity: "critical",
    reportedBy: rowKeepers,
  },
  brokers_unavailable: {
    meaning: "With `KAFKA_BROKERS`: the brokers do not take rows of this process, or do not give it rows to store",
    section: "the-brokers-are-unavailable",
    severity: "critical",
    reportedBy: rowKeepers,
  },
  temporal_unavailable: {
    meaning: "Temporal does not answer, or does not know our search attributes yet",
    section: "a-store-is-unavailable",
    severity: "critical",
    reportedBy: ["api", "worker", "probe"],
  },
  not_polling: {
    meaning: "This process gets no work from Temporal",
    section: "a-worker-gets-no-tasks",
    severity: "critical",
    reportedBy: ["worker", "probe"],
  },
  log_full: {
    meaning: "The log of this process takes no rows, or has little room left",
    section: "a-full-log",
    severity: "critical",
    reportedBy: apiAndWorker,
  },
  table_suspended: {
    meaning: "QuestDB has suspended a table: queries do not see its new rows",
    section: "a-suspended-table",
    severity: "critical",
    reportedBy: rowKeepers,
  },
  table_stuck: {
    meaning:
      "QuestDB answers, but has applied nothing to a table for `QUESTDB_STUCK_AFTER_MS` though rows wait: queries do not see them",
    section: "a-table-that-stands-still",
    severity: "critical",
    reportedBy: rowKeepers,
  },
  replica_away: {
    meaning:
      "With `SHARDS`: a replica is not read, since it does not answer, lags, is being rebuilt, or has to apply erasures that it missed",
    section: "a-replica-that-is-not-read",
    severity: "warning",
    reportedBy: apiAndWorker,
  },
  store_lag: {
    meaning: "Accepted rows have been waiting for more than two seconds until queries see them",
    section: "events-are-seen-late",
    severity: "warning",
    reportedBy: rowKeepers,
  },
  disk_full: {
    meaning: "Less than 64 MiB are free where DATA_DIR or QuestDB's data is",
    section: "a-full-disk",
    severity: "critical",
    reportedBy: rowKeepers,
  },
  disk_low: {
    meaning:
      "Less than `DISK_MIN_FREE_BYTES` are free there, or it will be full within 6 hours at the rate of the last hour",
    section: "a-full-disk",
    severity: "warning",
    reportedBy: rowKeepers,
  },
  maps_low: {
    meaning:
      "QuestDB could not map a file, or has mapped nearly as many as it may: queries over long ranges are answered 503",
    section: "queries-over-long-ranges-are-refused",
    severity: "warning",
    reportedBy: apiAndWorker,
  },
  no_worker: {
    meaning: "No worker has asked for work for 90 seconds",
    section: "no-worker-or-probe",
    severity: "critical",
    reportedBy: apiAndWorker,
  },
  no_probe: {
    meaning: "No probe of a region has asked for work for 90 seconds",
    section: "no-worker-or-probe",
    severity: "critical",
    reportedBy: apiAndWorker,
  },
  schedule_late: {
    meaning: "A Schedule is missing, paused, or did not run when it should have",
    section: "a-schedule-that-does-not-run",
    severity: "critical",
    reportedBy: apiAndWorker,
  },
  backup_late: {
    meaning: "`BACKUP_TO` is set, and no backup was made for twice `BACKUP_INTERVAL_MS`",
    section: "backups-are-not-made",
    severity: "critical",
    reportedBy: apiAndWorker,
  },
  backup_unchecked: {
    meaning: "The newest backup was found damaged, or none was read and compared for twice `BACKUP_CHECK_INTERVAL_MS`",
    section: "a-backup-that-is-not-whole",
    severity: "critical",
    reportedBy: apiAndWorker,
  },
  clock_skew: {
    meaning: "The clock of this machine differs from PostgreSQL's (of a probe: from Temporal's) by more than a second",
    section: "clocks-that-differ",
    severity: "warning",
    reportedBy: ["api", "worker", "probe", "consumer"],
  },
} as const satisfies Record<string, State>;

export const stateNames = Object.keys(states).filter((name): name is StateName => name in states);

export function statesOf(kind: ProcessKind): StateName[] {
  return stateNames.filter((name) => (states[name].reportedBy as readonly ProcessKind[]).includes(kind));
}

/** A current state. */
export type Condition = {
  readonly state: StateName;
  /** Which one, if there are several: a table, a disk, a region, a Schedule. */
  readonly of?: string;
  /** One sentence with the figures. Operators read it in /readyz and in the log. */
  readonly message: string;
  /** What failed. It is logged, not answered. */
  readonly cause?: unknown;
};

/** Where to read what to do about a state. */
export function runbookOf(state: StateName): string {
  return `docs/operate/troubles.md#${states[state].section}`;
}
