import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { CheckTarget } from "./checkTypes.ts";

const algorithm = "aes-256-gcm";
const ivBytes = 12;
const tagBytes = 16;

/**
 * Encrypts a check's request for a probe. Probes connect only to Temporal, whose histories must hold no secret. `key`
 * is UPTIME_PROBE_KEY, the same for the service and its probes.
 */
export function sealTarget(target: CheckTarget, key: string): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, keyOf(key), iv);
  const sealed = Buffer.concat([cipher.update(JSON.stringify(target), "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64");
}

/** Decrypts what sealTarget encrypted. Throws when the key differs or the text was changed. */
export function openTarget(text: string, key: string): CheckTarget {
  const bytes = Buffer.from(text, "base64");
  const decipher = createDecipheriv(algorithm, keyOf(key), bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
  decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  const opened = Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
  // Authenticated text was written by sealTarget.
  return JSON.parse(opened.toString("utf8")) as CheckTarget;
}

function keyOf(key: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", key, "", "lookout probe targets", 32));
}
