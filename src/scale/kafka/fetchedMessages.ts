import type { LogRecord } from "../../durableLog/durableLog.ts";
import { recordsOf } from "./messages.ts";

/** A message of the log: records of one website, see messages.ts. */
export type LogMessage = {
  readonly partition: number;
  readonly offset: bigint;
  readonly records: readonly LogRecord[];
};

/** A broker's answer about one partition, in the client's form. */
export type FetchedPartition = {
  readonly partitionIndex: number;
  readonly records?:
    | readonly {
        readonly firstOffset: bigint;
        readonly lastOffsetDelta: number;
        readonly records: readonly { readonly offsetDelta: number; readonly value: Buffer | null }[];
      }[]
    | null
    | undefined;
};

/** The messages of a partition from a position on, and the position after them. */
export type Fetched = { readonly messages: readonly LogMessage[]; readonly next: bigint };

/**
 * Reads a broker's answer. Throws if it was damaged on the broker's disk: the client compares no checksum, and a wrong count or
 * offset would lose rows. Batches of this log follow each other without gaps, since only transactions and compaction make gaps.
 * Records have their own checksum.
 */
export function fetchedMessages(
  { partitionIndex: partition, records: batches }: FetchedPartition,
  from: bigint,
): Fetched {
  const messages: LogMessage[] = [];
  let next = from;
  for (const { firstOffset, lastOffsetDelta, records } of batches ?? []) {
    // A batch is delivered as a whole, even if the position is inside it.
    if (firstOffset > next || records.length !== lastOffsetDelta + 1) throw damaged(partition, next);
    for (const [index, { offsetDelta, value }] of records.entries()) {
      if (offsetDelta !== index || value === null) throw damaged(partition, next);
      const offset = firstOffset + BigInt(offsetDelta);
      if (offset >= from) messages.push({ partition, offset, records: recordsOf(value) });
    }
    const end = firstOffset + BigInt(lastOffsetDelta) + 1n;
    if (end > next) next = end;
  }
  return { messages, next };
}

function damaged(partition: number, offset: bigint): Error {
  return new Error(`partition ${partition} of the log is damaged after offset ${offset}`);
}
