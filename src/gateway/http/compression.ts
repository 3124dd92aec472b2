import { promisify } from "node:util";
import { brotliCompress, createBrotliCompress, createGzip, gzip, constants as zlib } from "node:zlib";
import { acceptedEncodings } from "./contentNegotiation.ts";

export type Encoding = "br" | "gzip";

/** A shorter text fits into one packet with its headers, so compression would only cost. */
const shortBytes = 1_024;

/** Measured on rows of queries: from here on the fast level of each takes a third of the time for at most a fifth more bytes. */
const longBytes = 65_536;

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

/** The better encoding that the client accepts for a text of so many bytes. */
export function encodingFor(acceptEncoding: string | string[] | undefined, bytes: number): Encoding | undefined {
  if (bytes <= shortBytes || acceptEncoding === undefined) return undefined;
  const accepted = acceptedEncodings(acceptEncoding);
  return accepted.has("br") ? "br" : accepted.has("gzip") ? "gzip" : undefined;
}

/** The compressed text. Node's thread pool does the work, so other requests are served meanwhile. */
export function compress(text: string, encoding: Encoding, bytes: number): Promise<Buffer> {
  return encoding === "br"
    ? compressBrotli(text, brotliOptions(bytes))
    : compressGzip(text, { level: gzipLevel(bytes) });
}

/** Compresses a text that is too long to hold. */
export function compressor(encoding: Encoding) {
  return encoding === "br" ? createBrotliCompress(brotliOptions(Infinity)) : createGzip({ level: gzipLevel(Infinity) });
}

function gzipLevel(bytes: number): number {
  return bytes < longBytes ? 6 : zlib.Z_BEST_SPEED;
}

function brotliOptions(bytes: number) {
  return {
    params: {
      [zlib.BROTLI_PARAM_MODE]: zlib.BROTLI_MODE_TEXT,
      [zlib.BROTLI_PARAM_QUALITY]: bytes < longBytes ? 4 : 1,
      ...(Number.isFinite(bytes) ? { [zlib.BROTLI_PARAM_SIZE_HINT]: bytes } : {}),
    },
  };
}

/**
 * Headers that say how a text of so many bytes is sent: caches must keep an answer for each encoding (RFC 9110, section
 * 12.5.5). A short text is the same for all.
 */
export function encodingHeaders(
  bytes: number,
  encoding: Encoding | undefined,
  vary: string | number | undefined,
): Record<string, string> | undefined {
  if (bytes <= shortBytes) return undefined;
  return {
    vary: vary === undefined ? "Accept-Encoding" : `${vary}, Accept-Encoding`,
    ...(encoding === undefined ? {} : { "content-encoding": encoding }),
  };
}
