import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/** The start of every envelope: the first version of its form. */
const version = "lk1";
const form = /^lk1\.([0-9a-f]{16})\.([A-Za-z0-9_-]{38,})$/;

/** The same as a regular expression of PostgreSQL, which finds what is stored in the clear. */
export const envelopePattern = "^lk1\\.[0-9a-f]{16}\\.[A-Za-z0-9_-]{38,}$";

/** A key of 256 bits, and its public name of 16 hexadecimal digits. */
export type NamedKey = { readonly id: string; readonly key: Buffer };

/**
 * Encrypts a text with AES-256-GCM: `lk1.<id of the key>.<base64url of nonce, tag and ciphertext>`. `place` says what
 * the text belongs to: an envelope that is moved elsewhere cannot be opened.
 */
export function sealText({ id, key }: NamedKey, place: string, text: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  cipher.setAAD(associated(id, place));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return `${version}.${id}.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url")}`;
}

/** Decrypts an envelope. Throws when it was changed, was made with another key, or is at another place. */
export function openText({ id, key }: NamedKey, place: string, envelope: string): string {
  const bytes = Buffer.from(form.exec(envelope)?.[2] ?? "", "base64url");
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
  decipher.setAAD(associated(id, place));
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString("utf8");
}

/** The id of the key that an envelope was made with; undefined for any other text. */
export function keyIdOf(envelope: string): string | undefined {
  return form.exec(envelope)?.[1];
}

function associated(keyId: string, place: string): Buffer {
  return Buffer.from(`${version}\0${keyId}\0${place}`);
}
