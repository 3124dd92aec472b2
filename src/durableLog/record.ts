import { crc32 } from "node:zlib";
import type { LogRecord, NewRecord } from "./durableLog.ts";

/**
 * Writes a record at an offset and returns its end. Needs up to `maxRecordBytes` of room. In a file, little endian:
 *
 *     header: u32 magic | u8 version | u32 length of the body | u32 CRC-32 of the body | u32 CRC-32 of the header before it
 *     body:   f64 receivedMs | f64 key | u8 length of websiteId | websiteId | payload
 *
 * The header has a checksum of its own, so a damaged length is detected: reading continues at the next magic number that
 * begins a valid record. No UTF-8 text contains the magic number.
 */
export function writeRecord(bytes: Buffer, offset: number, { receivedMs, websiteId, key, payload }: NewRecord): number {
  const body = offset + headerBytes;
  const idBytes = bytes.write(websiteId, body + bodyHeadBytes);
  const end = body + bodyHeadBytes + idBytes + bytes.write(payload, body + bodyHeadBytes + idBytes);
  bytes.writeDoubleLE(receivedMs, body);
  bytes.writeDoubleLE(key, body + 8);
  bytes.writeUInt8(idBytes, body + 16);
  bytes.writeUInt32LE(magic, offset);
  bytes.writeUInt8(version, offset + 4);
  bytes.writeUInt32LE(end - body, offset + 5);
  bytes.writeUInt32LE(crc32(bytes.subarray(body, end)), offset + 9);
  bytes.writeUInt32LE(crc32(bytes.subarray(offset, offset + 13)), offset + 13);
  return end;
}

/** The most bytes that `writeRecord` may need: a UTF-16 code unit takes at most three in UTF-8. */
export function maxRecordBytes({ websiteId, payload }: NewRecord): number {
  return headerBytes + bodyHeadBytes + 3 * (websiteId.length + payload.length);
}

/** Bytes that are no records, from an offset up to another. */
export type DamagedRange = { readonly start: number; readonly end: number };

export type ParsedRecords = {
  readonly records: readonly LogRecord[];
  readonly damaged: readonly DamagedRange[];
  /** Where parsing stopped. */
  readonly end: number;
  /** The number of bytes from `end` on that are needed to continue, 0 when parsing stopped for another reason. */
  readonly wantedBytes: number;
};

/**
 * Parses at most `max` records. `isEnd` says that nothing follows these bytes in the file. An incomplete record there is a write
 * that was interrupted before it was acknowledged: neither a record nor damage.
 */
export function parseRecords(bytes: Buffer, isEnd: boolean, max: number): ParsedRecords {
  const records: LogRecord[] = [];
  const damaged: DamagedRange[] = [];
  let offset = 0;
  while (offset < bytes.length && records.length < max) {
    const found = recordAt(bytes, offset);
    if (found.state === "intact") {
      records.push(found.record);
      offset = found.end;
      continue;
    }
    if (found.state === "cut" && !isEnd) return { records, damaged, end: offset, wantedBytes: found.bytes };
    const next = nextRecord(bytes, offset + 1, isEnd);
    const isInterrupted = found.state === "cut" && next === bytes.length;
    if (!isInterrupted) damaged.push({ start: offset, end: next });
    offset = next;
  }
  return { records, damaged, end: offset, wantedBytes: 0 };
}

type Found =
  | { readonly state: "intact"; readonly record: LogRecord; readonly end: number }
  /** Valid so far, but the whole record has `bytes` bytes. */
  | { readonly state: "cut"; readonly bytes: number }
  | { readonly state: "damaged" };

function recordAt(bytes: Buffer, offset: number): Found {
  const left = bytes.length - offset;
  if (left < headerBytes) return isMagicBegun(bytes, offset) ? { state: "cut", bytes: headerBytes } : damagedRecord;
  if (bytes.readUInt32LE(offset) !== magic || bytes.readUInt8(offset + 4) !== version) return damagedRecord;
  if (crc32(bytes.subarray(offset, offset + 13)) !== bytes.readUInt32LE(offset + 13)) return damagedRecord;
  const bodyBytes = bytes.readUInt32LE(offset + 5);
  if (left < headerBytes + bodyBytes) return { state: "cut", bytes: headerBytes + bodyBytes };
  const end = offset + headerBytes + bodyBytes;
  const body = bytes.subarray(offset + headerBytes, end);
  if (crc32(body) !== bytes.readUInt32LE(offset + 9)) return damagedRecord;
  const payloadStart = bodyHeadBytes + body.readUInt8(16);
  const record = {
    receivedMs: body.readDoubleLE(0),
    key: body.readDoubleLE(8),
    websiteId: body.toString("utf8", bodyHeadBytes, payloadStart),
    payload: body.subarray(payloadStart),
  };
  return { state: "intact", record, end };
}

const damagedRecord = { state: "damaged" } as const;

/** The offset of the next bytes that are a record, or may become one with the bytes that follow; else the end. */
function nextRecord(bytes: Buffer, from: number, isEnd: boolean): number {
  for (let offset = from; ; offset += 1) {
    offset = bytes.indexOf(magicBytes, offset);
    if (offset === -1) break;
    const { state } = recordAt(bytes, offset);
    if (state === "intact" || (state === "cut" && !isEnd)) return offset;
  }
  if (isEnd) return bytes.length;
  for (let offset = Math.max(from, bytes.length - magicBytes.length + 1); offset < bytes.length; offset += 1)
    if (isMagicBegun(bytes, offset)) return offset;
  return bytes.length;
}

function isMagicBegun(bytes: Buffer, offset: number): boolean {
  const length = Math.min(magicBytes.length, bytes.length - offset);
  return bytes.compare(magicBytes, 0, length, offset, offset + length) === 0;
}

/** 0xFF and 0xFE never occur in UTF-8. */
const magicBytes = Buffer.from([0xff, 0x4c, 0x4f, 0xfe]);
const magic = magicBytes.readUInt32LE(0);
const version = 1;
const headerBytes = 17;
const bodyHeadBytes = 17;
