import { createHash, randomBytes } from "node:crypto";

/** What every key starts with, so that people and secret scanners recognise one. */
const prefix = "lk_";

/** Base64url of 24 random bytes: 192 bits. */
const secretPattern = /^[A-Za-z0-9_-]{32}$/;

/** A new key. The text is shown once; the store keeps only its hash and its first characters. */
export function createKeyText(): string {
  return prefix + randomBytes(24).toString("base64url");
}

/** Whether a text can be a key at all; what cannot is refused without a look-up. */
export function isKeyText(text: string): boolean {
  return text.startsWith(prefix) && secretPattern.test(text.slice(prefix.length));
}

/** SHA-256 in hex. A key has 192 bits of randomness, so a slow hash would add nothing. */
export function hashKeyText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The characters that may be shown later, to tell keys apart. */
export function shownPrefix(text: string): string {
  return text.slice(0, prefix.length + 6);
}
