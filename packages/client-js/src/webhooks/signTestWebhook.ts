import { type WebhookEvent, webhookExamples } from "./events.ts";
import { readWebhookSecret, signedBytes } from "./signature.ts";

export type TestWebhook = {
  /** The secret that the receiver knows. */
  readonly secret: string;
  /** An event, or the type of an example. The default is incident.opened. */
  readonly event?: WebhookEvent | WebhookEvent["type"] | undefined;
  /** The default is a random one. */
  readonly id?: string | undefined;
  /** When it is sent, Unix ms. The default is now. */
  readonly sentMs?: number | undefined;
};

/** A secret for tests, in the form of those of channels. */
export function createTestSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}

/** The body and the headers of a webhook as Lookout sends it, to test a receiver with. */
export async function signTestWebhook(test: TestWebhook): Promise<{
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}> {
  const { secret, event = "incident.opened", sentMs = Date.now() } = test;
  const id = test.id ?? `msg_${crypto.randomUUID().replaceAll("-", "")}`;
  const body = JSON.stringify(typeof event === "string" ? webhookExamples[event] : event);
  const timestamp = String(Math.floor(sentMs / 1_000));
  const key = await readWebhookSecret(secret, ["sign"]);
  const signature = await crypto.subtle.sign("HMAC", key, signedBytes(id, timestamp, new TextEncoder().encode(body)));
  return {
    body,
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`,
    },
  };
}
