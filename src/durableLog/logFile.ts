import { type FileHandle, open, stat } from "node:fs/promises";
import { whenMissing } from "../errors/errorCode.ts";
import type { LogRecord } from "./durableLog.ts";
import { type DamagedRange, parseRecords } from "./record.ts";

/** A file of a log. */
export type LogFile = {
  readonly path: string;
  readonly number: number;
  /** Where its first uncommitted record began when it was opened. */
  readonly start: number;
  /** Bytes beyond this were never acknowledged and are not read. */
  bytes: number;
  records: number;
  /** Unix ms of the oldest record, Infinity without any, 0 if damage may hide one of any time. */
  oldestMs: number;
  /** Up to where damage was counted; undefined without damage. */
  damagedUntil: number | undefined;
};

/** Records from a part of a file, where that part ends, and its damaged ranges. */
export type FilePart = {
  readonly records: readonly LogRecord[];
  readonly end: number;
  readonly damaged: readonly DamagedRange[];
};

/** Inspects a file that another process wrote, of which everything before `start` is committed. */
export async function inspectLogFile(path: string, number: number, start: number): Promise<LogFile> {
  const { size } = await stat(path);
  const file: LogFile = {
    path,
    number,
    start,
    bytes: size,
    records: 0,
    oldestMs: Number.POSITIVE_INFINITY,
    damagedUntil: undefined,
  };
  for (let offset = start; offset < size; ) {
    const { records, end, damaged } = await readPart(path, offset, size, recordsAtOnce);
    file.records += records.length;
    for (const { receivedMs } of records) file.oldestMs = Math.min(file.oldestMs, receivedMs);
    if (damaged.length > 0) file.oldestMs = 0;
    offset = end;
  }
  return file;
}

/**
 * Reads at most `max` records between two offsets, in pieces of a megabyte or of one record. A missing file counts as
 * damaged.
 */
export async function readPart(path: string, start: number, end: number, max: number): Promise<FilePart> {
  const file = await open(path, "r").catch(whenMissing);
  if (file === undefined) return { records: [], end, damaged: [{ start, end }] };
  try {
    return await readOpenPart(file, start, end, max);
  } finally {
    await file.close();
  }
}

async function readOpenPart(file: FileHandle, start: number, end: number, max: number): Promise<FilePart> {
  const records: LogRecord[] = [];
  const damaged: DamagedRange[] = [];
  let offset = start;
  let length = chunkBytes;
  while (offset < end && records.length < max && offset - start < maxBytes) {
    const wanted = Math.min(length, end - offset);
    const bytes = await readAt(file, offset, wanted);
    const isShort = bytes.length < wanted;
    const isEnd = isShort || offset + bytes.length === end;
    const parsed = parseRecords(bytes, isEnd, max - records.length);
    for (const record of parsed.records) records.push(record);
    for (const range of parsed.damaged) damaged.push({ start: offset + range.start, end: offset + range.end });
    offset += parsed.end;
    length = Math.max(chunkBytes, parsed.wantedBytes);
    if (isShort && parsed.end === bytes.length) {
      damaged.push({ start: offset, end });
      offset = end;
    }
  }
  return { records, end: offset, damaged };
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let read = 0;
  while (read < length) {
    const { bytesRead } = await file.read(bytes, read, length - read, position + read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return bytes.subarray(0, read);
}

const chunkBytes = 1_048_576;
const recordsAtOnce = 10_000;

/** The approximate size of the records of one read, which are held in memory. */
const maxBytes = 8_388_608;
