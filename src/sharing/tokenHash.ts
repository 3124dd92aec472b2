import { createHash } from "node:crypto";

/** SHA-256 in hex. A token has 192 bits of randomness, so a slow hash would add nothing. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
