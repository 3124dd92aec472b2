import type { CallContext } from "../gateway/callContext.ts";
import type { BoundValue, Row, TextRow } from "../store/questdbReader.ts";

/** Reads for one call: in turn with the reads of other websites, and only as long as the caller waits. */
export type CallReader = {
  read(sql: string, values: readonly BoundValue[]): Promise<Row[]>;
  readEach(sql: string, values: readonly BoundValue[], take: (row: TextRow) => void): Promise<void>;
};

/** The reader of a call about these websites. Those of an organization share one turn. */
export function readerOf(call: CallContext, websiteIds: readonly string[]): CallReader {
  const [only] = websiteIds;
  const owner = websiteIds.length === 1 && only !== undefined ? only : (call.caller?.organizationId ?? "");
  const { questdb } = call.app;
  const options = { owner, signal: call.signal };
  return {
    read: (sql, values) => questdb.read(sql, values, options),
    readEach: (sql, values, take) => questdb.readEach(sql, values, take, options),
  };
}
