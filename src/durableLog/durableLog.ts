/** What is kept of one row until it is stored. `key` and `websiteId` say which records belong together; `payload` is the row itself. */
export type LogRecord = {
  /** Unix ms. */
  readonly receivedMs: number;
  /** Empty where the row belongs to no website. */
  readonly websiteId: string;
  readonly key: number;
  readonly payload: Buffer;
};

/** A place between two records. `count` is how many records of this log were read before it, for measuring the backlog. */
export type LogPosition = { readonly file: number; readonly offset: number; readonly count: number };

/** Records in the order in which they were appended, and where reading goes on. */
export type LogBatch = { readonly records: readonly LogRecord[]; readonly next: LogPosition };

/** `ok`, `full` when it takes no records or has little room left. */
export type LogState = "ok" | "full";

/**
 * A first-in first-out log that survives the end of its process. FileLog is the one in files; a log of the Kafka protocol fits behind
 * the same type.
 */
export type DurableLog = {
  /** Resolves when the records are durable. Rejects with SERVICE_UNAVAILABLE; then none of them is in the log. */
  append(records: readonly LogRecord[]): Promise<void>;
  /** At most `max` records from a position on; none at the end of the log. */
  read(from: LogPosition, max: number): Promise<LogBatch>;
  /** Everything before the position is stored: it is not read again, also not by the next process. */
  commit(position: LogPosition): Promise<void>;
  /** Where reading begins. */
  readonly committed: LogPosition;
  /** Whether no record waits to be committed, and none is on its way into the log. */
  readonly isEmpty: boolean;
  /** Unix ms: no record that the log still holds, committed or not, was received before. Undefined when it holds none. */
  readonly oldestMs: number | undefined;
  readonly state: LogState;
  /** How long the oldest record waits that is not committed; 0 when none waits. */
  readonly lagMs: number;
  close(): Promise<void>;
};
