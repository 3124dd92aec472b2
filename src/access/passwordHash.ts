import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

const derive: (
  password: string,
  salt: string,
  bytes: number,
  options: { N: number; r: number; p: number; maxmem: number },
) => Promise<Buffer> = promisify(scrypt);

/**
 * OWASP Password Storage: scrypt with N 2^14, r 16, p 1 needs 32 MiB per guess. Parameters and format are those of
 * better-auth.
 */
const cost = { N: 16_384, r: 16, p: 1, maxmem: 128 * 16_384 * 16 * 2 };

const keyBytes = 64;

/** A password of 120 random bits that is easy to copy. */
export function randomPassword(): string {
  return randomBytes(15).toString("base64url");
}

/** "salt:key" in hex (RFC 7914). */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16).toString("hex");
  const key = await derive(password.normalize("NFKC"), salt, keyBytes, cost);
  return `${salt}:${key.toString("hex")}`;
}

/** Whether a hash belongs to this password. Takes as long for a wrong password as for the right one. */
export async function verifyPassword(hash: string, password: string): Promise<boolean> {
  const [salt = "", keyHex = ""] = hash.split(":");
  const key = await derive(password.normalize("NFKC"), salt, keyBytes, cost);
  const expected = Buffer.from(keyHex, "hex");
  return expected.length === keyBytes && timingSafeEqual(expected, key);
}
