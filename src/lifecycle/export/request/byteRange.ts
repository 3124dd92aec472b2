import { ApiError, validationError } from "../../../errors/errors.ts";
import type { ByteSpan } from "../storage/exportStorage.ts";

const single = /^bytes=\s*(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))\s*$/i;

/**
 * The bytes that a Range header requests of a file (RFC 9110, section 14). Undefined for the whole file, also for
 * several ranges or an invalid header, which a server may ignore. "unsatisfiable" if the file ends before.
 */
export function readByteRange(header: string | undefined, size: number): ByteSpan | "unsatisfiable" | undefined {
  const [, first, last, suffix] = single.exec(header ?? "") ?? [];
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), size);
    return length === 0 ? "unsatisfiable" : { start: size - length, end: size - 1 };
  }
  if (first === undefined) return undefined;
  const start = Number(first);
  const end = last === undefined || last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== undefined && last !== "" && Number(last) < start) return undefined;
  return start >= size ? "unsatisfiable" : { start, end };
}

/** Throws VALIDATION_ERROR for an offset that is not in a file, whose end is one: nothing follows it. */
export function requireOffset(offset: number, size: number): void {
  if (Number.isInteger(offset) && offset <= size) return;
  throw validationError([
    { field: "offset", message: `must be a whole number of bytes up to ${size}, the file's size` },
  ]);
}

/** The bytes of readByteRange. Throws VALIDATION_ERROR with status 416 if the file ends before. */
export function requireRange(header: string | undefined, size: number): ByteSpan | undefined {
  const span = readByteRange(header, size);
  if (span !== "unsatisfiable") return span;
  throw new ApiError("VALIDATION_ERROR", `The range is not in the file, which has ${size} bytes`, {
    status: 416,
    headers: { "content-range": `bytes */${size}` },
  });
}
