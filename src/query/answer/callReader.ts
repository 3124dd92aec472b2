import { type BoundValue, callTooLong, type Row, type TextRow } from "../../store/questdb/questdbReader.ts";
import type { QueryCall } from "../queryCall.ts";

/**
 * Reads for one call: queued fairly with the reads of other websites, and only until the caller leaves or the call
 * times out.
 */
export type CallReader = {
  /** Throws StoreFailure when the time is up, as reads do. */
  requireTime(): void;
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
  const options = { owner, signal: call.signal, deadline };
  return {
    requireTime: () => {
      if (performance.now() >= deadline.untilMs) throw callTooLong(deadline);
    },
    read: (sql, values) => questdb.read(sql, values, options),
    readEach: (sql, values, take) => questdb.readEach(sql, values, take, options),
  };
}

/** Whose rows a call for these websites reads: those of one website, or of the caller's organization. */
export function ownerOf(call: QueryCall, websiteIds: readonly string[]): string {
  const [only] = websiteIds;
  return websiteIds.length === 1 && only !== undefined ? only : (call.caller?.organizationId ?? "");
}
