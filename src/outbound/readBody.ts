import type { IncomingHttpHeaders } from "node:http";
import { addAbortSignal, type Readable } from "node:stream";

export type BodyLimits = {
  /** Reading stops there. */
  readonly maxBodyBytes: number;
  /**
   * How far a body is read whose type says that it may never end: until this text has arrived, not at all if it is empty, and for at most
   * this time. By default as any other.
   */
  readonly endless?: { readonly until: string | undefined; readonly maxMs: number } | undefined;
};

/** The body as received, still encoded; `isCut` when reading stopped before its end. */
export type Body = { readonly body: Buffer; readonly isCut: boolean };

/** Events (HTML 9.2.6), pictures of a camera, radio and television. */
const endlessTypes = /^\s*(?:text\/event-stream|multipart\/x-mixed-replace|audio\/|video\/)/i;

/** Reads the body of an answer up to the limits. */
export async function readBody(
  stream: Readable,
  headers: IncomingHttpHeaders,
  { maxBodyBytes, endless }: BodyLimits,
): Promise<Body> {
  const mayNeverEnd = endlessTypes.test(headers["content-type"] ?? "") && headers["content-length"] === undefined;
  const limits = mayNeverEnd ? endless : undefined;
  const until = limits?.until;
  const timeUp = limits === undefined ? undefined : AbortSignal.timeout(limits.maxMs);
  const parts: Buffer[] = [];
  const cut = () => ({ body: Buffer.concat(parts).subarray(0, maxBodyBytes), isCut: true });
  if (until === "") return cut();
  let length = 0;
  let last: Buffer = Buffer.alloc(0);
  try {
    for await (const part of timeUp === undefined ? stream : addAbortSignal(timeUp, stream)) {
      const bytes: Buffer = part;
      parts.push(bytes);
      length += bytes.length;
      if (length > maxBodyBytes) return cut();
      if (until === undefined) continue;
      last = Buffer.concat([last.subarray(-Buffer.byteLength(until)), bytes]);
      if (last.includes(until)) return cut();
    }
  } catch (error) {
    if (timeUp?.aborted !== true) throw error;
    return cut();
  }
  return { body: Buffer.concat(parts), isCut: false };
}
