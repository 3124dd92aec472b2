import { createHmac, randomBytes } from "node:crypto";

/** A webhook secret in the form of Standard Webhooks 1.0: whsec_ and the base64 of its bytes. */
export function createWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/**
 * The headers that authenticate a webhook (Standard Webhooks 1.0): the signature covers the id, the time of the attempt
 * (Unix ms here, seconds on the wire) and the body.
 */
export function webhookHeaders(secret: string, id: string, timeMs: number, body: string): Record<string, string> {
  const timestamp = String(Math.floor(timeMs / 1_000));
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
}
