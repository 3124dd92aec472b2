import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

/** The start of every key, so that people and secret scanners recognise one. */
const prefix = "lk_";

/** Base64url of 24 random bytes: 192 bits. */
const secretLength = 32;

/** Base64url of the four bytes of a CRC-32. */
const checkLength = 6;

/** Keys with check characters, and keys from before they were added. */
const pattern = new RegExp(`^${prefix}[A-Za-z0-9_-]{${secretLength}}([A-Za-z0-9_-]{${checkLength}})?$`);

/** A new key. The text is shown once; PostgreSQL keeps only its hash and its first characters. */
export function createKeyText(): string {
  const text = prefix + randomBytes(24).toString("base64url");
  return text + checkOf(text);
}

/**
 * Whether a text has the form of a key. Other texts are refused without a look-up, with an error about a typing
 * mistake. The check characters at the end detect any single wrong character, and miss other mistakes with a chance of
 * one in four billion.
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

/** The characters that may be shown later, to distinguish keys. */
export function shownPrefix(text: string): string {
  return text.slice(0, prefix.length + 6);
}

function checkOf(text: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return bytes.toString("base64url");
}
