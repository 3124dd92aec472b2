import { promisify } from "node:util";
import { brotliDecompress, unzip, zstdDecompress } from "node:zlib";

const decoders: Readonly<Record<string, (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>>> = {
  gzip: promisify(unzip),
  "x-gzip": promisify(unzip),
  deflate: promisify(unzip),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
};

/** Encodings that a check accepts (RFC 9110 12.5.3). */
export const acceptedEncodings = "gzip, deflate, br";

/**
 * The text of an answer's body, or why it cannot be read. A body that exceeds `maxBytes` when unpacked is refused,
 * since a few kilobytes can expand to gigabytes.
 */
export async function bodyText(
  body: Buffer,
  contentEncoding: string,
  maxBytes: number,
): Promise<{ readonly text: string } | { readonly problem: string }> {
  let bytes = body;
  for (const coding of contentEncoding
    .toLowerCase()
    .split(",")
    .map((part) => part.trim())
    .reverse()) {
    if (coding === "" || coding === "identity") continue;
    const decode = decoders[coding];
    if (decode === undefined) return { problem: `the answer has the unknown Content-Encoding ${coding.slice(0, 40)}` };
    try {
      bytes = await decode(bytes, { maxOutputLength: maxBytes });
    } catch {
      return { problem: `the answer's ${coding} body is broken or larger than ${maxBytes} bytes unpacked` };
    }
  }
  return { text: bytes.toString("utf8") };
}
