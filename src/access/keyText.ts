import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

/** What every key starts with, so that people and secret scanners recognise one. */
const prefix = "lk_";

/** Base64url of 24 random bytes: 192 bits. */
const secretLength = 32;

/** Base64url of the four bytes of a CRC-32. */
const checkLength = 6;

/** A key with its check characters, and one from before they were added. */
const pattern = new RegExp(`^${prefix}[A-Za-z0-9_-]{${secretLength}}([A-Za-z0-9_-]{${checkLength}})?$`);

/** A new key. The text is shown once; the store keeps only its hash and its first characters. */
export function createKeyText(): string {
  const text = prefix + randomBytes(24).toString("base64url");
  return text + checkOf(text);
}

/**
 * Whether a text can be a key at all. What cannot is refused without a look-up, and its holder is told of the typing error: the check
 * characters at the end find any single wrong character and all but one of four billion others.
 */
export function isKeyText(text: string): boolean {
  const match = pattern.exec(text);
  if (match === null) return false;
  const [, check] = match;
  return check === undefined || check === checkOf(text.slice(0, -checkLength));
}

/** SHA-256 in hex. A key has 192 bits of randomness, so a slow hash would add nothing. */
export function hashKeyText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The characters that may be shown later, to tell keys apart. */
export function shownPrefix(text: string): string {
  return text.slice(0, prefix.length + 6);
}

function checkOf(text: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return bytes.toString("base64url");
}
