import { promisify } from "node:util";
import { brotliDecompress, inflateRaw, unzip, zstdDecompress } from "node:zlib";

const decoders: Readonly<Record<string, (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>>> = {
  gzip: promisify(unzip),
  "x-gzip": promisify(unzip),
  // Some servers leave out the zlib format that RFC 9110 asks for; browsers accept both.
  deflate: (body, options) => promisify(unzip)(body, options).catch(() => promisify(inflateRaw)(body, options)),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
};

/** Encodings that a check accepts (RFC 9110 12.5.3). */
export const acceptedEncodings = "gzip, deflate, br";

/**
 * The text of an answer's body, or why it cannot be read. A body that exceeds `maxBytes` when unpacked is refused,
 * since a few kilobytes can expand to gigabytes. Like browsers it leaves a body as it is whose coding is unknown, and says which.
 */
export async function bodyText(
  body: Buffer,
  { contentEncoding, contentType }: { readonly contentEncoding: string; readonly contentType: string },
  maxBytes: number,
): Promise<{ readonly text: string; readonly unknownCoding?: string | undefined } | { readonly problem: string }> {
  const codings = contentEncoding
    .toLowerCase()
    .split(",")
    .map((part) => part.trim())
    .filter((coding) => coding !== "" && coding !== "identity");
  const unknownCoding = codings.find((coding) => decoders[coding] === undefined)?.slice(0, 40);
  let bytes = body;
  for (const coding of unknownCoding === undefined ? codings.reverse() : [])
    try {
      bytes = (await decoders[coding]?.(bytes, { maxOutputLength: maxBytes })) ?? bytes;
    } catch {
      return { problem: `the answer's ${coding} body is broken or larger than ${maxBytes} bytes unpacked` };
    }
  return { text: new TextDecoder(charsetOf(bytes, contentType)).decode(bytes), unknownCoding };
}

/** Where browsers look for the charset of a page (HTML, 13.2.3.2): its first bytes. */
const sniffedBytes = 1_024;

/** The charset by the byte order mark, the Content-Type or the page itself; UTF-8 without or with an unknown one. */
function charsetOf(bytes: Buffer, contentType: string): string {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  const named = /charset\s*=\s*["']?([\w:.-]+)/i;
  const isHtml = /html|xml/i.test(contentType);
  const inPage = isHtml
    ? bytes.toString("latin1", 0, sniffedBytes).match(/<meta[^>]*charset\s*=\s*["']?([\w:.-]+)/i)
    : null;
  const charset = (named.exec(contentType) ?? inPage)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(charset).encoding;
  } catch {
    return "utf-8";
  }
}
