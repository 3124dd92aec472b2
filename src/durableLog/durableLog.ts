/**
 * A row as the log keeps it until QuestDB has it. `key` and `websiteId` say which records belong together; `payload` is the row
 * itself.
 */
export type LogRecord = {
  /** Unix ms. */
  readonly receivedMs: number;
  /** Empty if the row belongs to no website. */
  readonly websiteId: string;
  readonly key: number;
  readonly payload: Buffer;
};

/** A record to append. Its payload is text, which is encoded as UTF-8 where it is written. */
export type NewRecord = Omit<LogRecord, "payload"> & { readonly payload: string };

/**
 * A position between two records. `count` is the number of records of this log before it, for measuring the backlog.
 */
export type LogPosition = { readonly file: number; readonly offset: number; readonly count: number };

/** Records in the order in which they were appended, and the position to continue at. */
export type LogBatch = { readonly records: readonly LogRecord[]; readonly next: LogPosition };

/** `full` when the log accepts no records or has little room left. */
export type LogState = "ok" | "full";

/**
 * A first-in first-out log that survives the end of its process. FileLog implements it with files; a Kafka-compatible
 * log would fit the same type.
 */
export type DurableLog = {
  /** Resolves when the records are durable. Rejects with StoreFailure; then none of them is in the log. */
  append(records: readonly NewRecord[]): Promise<void>;
  /** Reads at most `max` records from a position on; none at the end of the log. */
  read(from: LogPosition, max: number): Promise<LogBatch>;
  /** Marks everything before the position as stored: it is not read again, not even by the next process. */
  commit(position: LogPosition): Promise<void>;
  /** Where reading begins. */
  readonly committed: LogPosition;
  /** True if no record waits to be committed and none is being appended. */
  readonly isEmpty: boolean;
  /** Unix ms: no record in the log, committed or not, was received before this time. Undefined when it has none. */
  readonly oldestMs: number | undefined;
  readonly state: LogState;
  /** The age of the oldest uncommitted record; 0 without one. */
  readonly lagMs: number;
  close(): Promise<void>;
};
