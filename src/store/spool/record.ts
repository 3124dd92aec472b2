import { crc32 } from "node:zlib";

/**
 * A record of the spool holds the rows of one write. Little endian:
 *
 *     u32 length of the body | u32 CRC-32 of the body | body: u32 number of rows, f64 Unix ms at which they were received, rows as JSON
 *
 * It is written into `scratch` where it surely fits, so that who writes often and at once leaves nothing to the garbage collector.
 */
export function encodeRecord(rows: readonly unknown[], atMs: number, scratch?: Buffer): Buffer {
  const text = JSON.stringify(rows);
  const headBytes = headerBytes + bodyHeadBytes;
  const fits = scratch !== undefined && headBytes + text.length * mostBytesOfUnit <= scratch.length;
  const memory = fits ? scratch : Buffer.allocUnsafe(headBytes + Buffer.byteLength(text));
  const record = memory.subarray(0, headBytes + memory.write(text, headBytes));
  record.writeUInt32LE(rows.length, headerBytes);
  record.writeDoubleLE(atMs, headerBytes + 4);
  const body = record.subarray(headerBytes);
  record.writeUInt32LE(body.length, 0);
  record.writeUInt32LE(crc32(body), 4);
  return record;
}

/**
 * What stands at an offset: a whole record, a damaged one whose end is known, or one that is cut short; `end` is the offset after it,
 * for a cut one as far as its head tells.
 */
export type FoundRecord =
  | { readonly state: "whole"; readonly end: number; readonly rowCount: number; readonly atMs: number }
  | { readonly state: "damaged" | "cut"; readonly end: number };

export function findRecord(bytes: Buffer, offset: number): FoundRecord {
  if (bytes.length - offset < headerBytes) return { state: "cut", end: offset + headerBytes };
  const length = bytes.readUInt32LE(offset);
  const end = offset + headerBytes + length;
  if (length < bodyHeadBytes) return { state: "cut", end: Number.POSITIVE_INFINITY };
  if (end > bytes.length) return { state: "cut", end };
  const body = bytes.subarray(offset + headerBytes, end);
  if (crc32(body) !== bytes.readUInt32LE(offset + 4)) return { state: "damaged", end };
  return { state: "whole", end, rowCount: body.readUInt32LE(0), atMs: body.readDoubleLE(4) };
}

/** Rows of a whole record, of the kind that its writer keeps. */
export function rowsOfRecord<Row>(bytes: Buffer, offset: number, { end }: { readonly end: number }): Row[] {
  // The checksum says that it is what `encodeRecord` wrote.
  return JSON.parse(bytes.toString("utf8", offset + headerBytes + bodyHeadBytes, end));
}

/** A UTF-16 code unit in UTF-8. */
const mostBytesOfUnit = 3;

const headerBytes = 8;
const bodyHeadBytes = 12;
