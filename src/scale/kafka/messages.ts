import type { LogRecord, NewRecord } from "../../durableLog/durableLog.ts";
import { maxRecordBytes, parseRecords, writeRecord } from "../../durableLog/record.ts";

/** A message in the log of the brokers: records of one website in the form of the log files (record.ts), one after the other. */
export type Message = { readonly key: string; readonly value: Buffer };

/** Groups records by website, in their order. Those without a website are spread by their own keys. */
export function messagesOf(records: readonly NewRecord[]): Message[] {
  return [...Map.groupBy(records, keyOf)].flatMap(([key, group]) =>
    parts(group).map((part) => ({ key, value: encode(part) })),
  );
}

function keyOf({ websiteId, key }: NewRecord): string {
  return websiteId === "" ? String(key) : websiteId;
}

/** Splits records into parts far below the size limit of a message, unless a single record is larger. */
function parts(records: readonly NewRecord[]): NewRecord[][] {
  const found: NewRecord[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const record of records) {
    const needed = record.payload.length;
    if (bytes + needed > partBytes) {
      found.push([]);
      bytes = 0;
    }
    found.at(-1)?.push(record);
    bytes += needed;
  }
  return found;
}

function encode(records: readonly NewRecord[]): Buffer {
  const bytes = Buffer.allocUnsafe(records.reduce((sum, record) => sum + maxRecordBytes(record), 0));
  let end = 0;
  for (const record of records) end = writeRecord(bytes, end, record);
  return bytes.subarray(0, end);
}

/**
 * The records of a message. Throws when it is foreign or of a newer version: skipping it would lose rows that another consumer
 * may have stored.
 */
export function recordsOf(value: Buffer): readonly LogRecord[] {
  const { records, damaged, end } = parseRecords(value, true, Number.POSITIVE_INFINITY);
  if (damaged.length > 0 || end !== value.length || records.length === 0)
    throw new Error("the log has a message that this version cannot read");
  return records;
}

/** The partition of a key (FNV-1a): the same in all processes, as long as the number of partitions stays. */
export function partitionOf(key: string, partitions: number): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193) >>> 0;
  return hash % partitions;
}

const partBytes = 524_288;
