import { type FileHandle, open, readFile } from "node:fs/promises";
import { findRecord, rowsOfRecord } from "./record.ts";

/** A file of records. What lies beyond `bytes` was never acknowledged and is not read. */
export type Segment = {
  readonly path: string;
  bytes: number;
  rows: number;
  /** Unix ms of the oldest record. A damaged one may be of any time: 0. Infinity when there is none. */
  oldestMs: number;
};

/** Rows from a segment, the offset after them, and what was lost to damage on the way. */
export type SegmentPart<Row> = {
  readonly rows: readonly Row[];
  /** When each of them was received, Unix ms. */
  readonly receivedMs: readonly number[];
  readonly end: number;
  /** Unix ms of the first record, undefined when all are damaged. */
  readonly oldestMs: number | undefined;
  readonly damagedBytes: number;
};

/** Looks at a segment that another process wrote: a record that was cut short by its end is left out. */
export async function inspectSegment(path: string): Promise<Segment> {
  const bytes = await readFile(path);
  let rows = 0;
  let offset = 0;
  let oldestMs = Number.POSITIVE_INFINITY;
  for (;;) {
    const found = findRecord(bytes, offset);
    if (found.state === "cut") return { path, bytes: offset, rows, oldestMs };
    oldestMs = Math.min(oldestMs, found.state === "whole" ? found.atMs : 0);
    if (found.state === "whole") rows += found.rowCount;
    offset = found.end;
  }
}

/** Reads whole records from `start` on until they hold `maxRows` rows, at least one record. `Row` is what the segment's writer keeps. */
export async function readSegment<Row>(segment: Segment, start: number, maxRows: number): Promise<SegmentPart<Row>> {
  const lost = {
    rows: [],
    receivedMs: [],
    end: segment.bytes,
    oldestMs: undefined,
    damagedBytes: segment.bytes - start,
  };
  const file = await open(segment.path, "r").catch(whenMissing);
  if (file === undefined) return lost;
  try {
    let bytes = await readAt(file, start, Math.min(chunkBytes, segment.bytes - start));
    const first = findRecord(bytes, 0);
    if (first.state === "cut") bytes = await readAt(file, start, Math.min(first.end, segment.bytes - start));
    return bytes.length === 0 ? lost : partOf(bytes, start, segment.bytes, maxRows);
  } finally {
    await file.close();
  }
}

function partOf<Row>(bytes: Buffer, start: number, segmentBytes: number, maxRows: number): SegmentPart<Row> {
  const rows: Row[] = [];
  const receivedMs: number[] = [];
  let oldestMs: number | undefined;
  let damagedBytes = 0;
  let offset = 0;
  while (offset < bytes.length && rows.length < maxRows) {
    const found = findRecord(bytes, offset);
    if (found.state === "cut") {
      // The rest stands in the next part, unless there is none: then the file is shorter or other than it was.
      if (offset > 0 && start + bytes.length < segmentBytes) break;
      return {
        rows,
        receivedMs,
        end: segmentBytes,
        oldestMs,
        damagedBytes: damagedBytes + segmentBytes - start - offset,
      };
    }
    if (found.state === "whole") {
      oldestMs ??= found.atMs;
      for (const row of rowsOfRecord<Row>(bytes, offset, found)) {
        rows.push(row);
        receivedMs.push(found.atMs);
      }
    } else {
      damagedBytes += found.end - offset;
    }
    offset = found.end;
  }
  return { rows, receivedMs, end: start + offset, oldestMs, damagedBytes };
}

/** Somebody deleted it, so there is nothing to wait for. */
function whenMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
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
