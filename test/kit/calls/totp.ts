import { createHmac } from "node:crypto";

/** The code that an authenticator shows for an otpauth:// address (RFC 6238, RFC 4226). */
export function totpCode(otpauth: string, timeMs = Date.now()): string {
  const secret = new URL(otpauth).searchParams.get("secret") ?? "";
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(timeMs / 30_000)));
  const digest = createHmac("sha1", base32(secret)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0xf;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

/** The code that comes next. It is taken already, and differs from the one of now, which works once. */
export function nextTotpCode(otpauth: string): string {
  return totpCode(otpauth, Date.now() + 30_000);
}

/** RFC 4648, section 6. */
function base32(text: string): Buffer {
  const bits = [...text.replace(/=+$/, "")]
    .map((character) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(character).toString(2).padStart(5, "0"))
    .join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
