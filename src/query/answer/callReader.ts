import {
  type BoundValue,
  callTooLong,
  type ReadOptions,
  type Row,
  type TextRow,
} from "../../store/questdb/questdbReader.ts";
import type { TimeRange } from "../../time/dates.ts";
import type { QueryCall } from "../queryCall.ts";

/**
 * Reads for one call: queued fairly with the reads of other websites, and only until the caller leaves or the call
 * times out.
 */
export type CallReader = {
  /** Throws StoreFailure when the time is up, as reads do. */
  requireTime(): void;
  /** The same for reads of this time, which may be long: QuestDB maps a file for each of its days. */
  over(range: TimeRange): CallReader;
  read(sql: string, values: readonly BoundValue[]): Promise<Row[]>;
  readEach(sql: string, values: readonly BoundValue[], take: (row: TextRow) => void): Promise<void>;
};

/** The reader of a call for these websites. All websites of an organization share one queue slot. */
export function readerOf(call: QueryCall, websiteIds: readonly string[]): CallReader {
  const owner = ownerOf(call, websiteIds);
  const { config } = call.app;
  const questdb = call.app.questdb.of(owner);
  const { timeoutMs } = config.query;
  const deadline = { untilMs: performance.now() + timeoutMs, timeoutMs };
  const withOptions = (options: ReadOptions): CallReader => ({
    requireTime: () => {
      if (performance.now() >= deadline.untilMs) throw callTooLong(deadline);
    },
    over: (range) => withOptions({ ...options, range }),
    read: (sql, values) => questdb.read(sql, values, options),
    readEach: (sql, values, take) => questdb.readEach(sql, values, take, options),
  });
  return withOptions({ owner, signal: call.signal, deadline });
}

/** Whose rows a call for these websites reads: those of one website, or of the caller's organization. */
export function ownerOf(call: QueryCall, websiteIds: readonly string[]): string {
  const [only] = websiteIds;
  return websiteIds.length === 1 && only !== undefined ? only : (call.caller?.organizationId ?? "");
}
