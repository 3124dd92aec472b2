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
