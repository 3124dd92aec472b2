import type { WebhookEvent } from "./events.ts";
import { readWebhookSecret, signedBytes } from "./signature.ts";

/**
 * Why a webhook is refused. MISSING_HEADER: it is not signed. WRONG_SIGNATURE: it is not from Lookout, the secret is another one, or the body
 * is not what was sent. TOO_OLD and TOO_NEW: its time is outside the tolerance, as that of a replayed webhook is. BAD_BODY: it is
 * no event.
 */
export type WebhookErrorCode = "MISSING_HEADER" | "WRONG_SIGNATURE" | "TOO_OLD" | "TOO_NEW" | "BAD_BODY";

/** A webhook that must not be believed. Answer it with 400. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
  /** Why it is refused, for programs. */
  readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export type ReceivedWebhook = {
  /** The body as it arrived, before any parser: the signature is that of its bytes. */
  readonly body: string | Uint8Array;
  /** The request's headers, such as those of a Request, or `request.headers` of Node. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The secret of the channel, `whsec_…`; several while it is changed. */
  readonly secret: string | readonly string[];
  /** How far the time of the attempt may be from now, ms. The default is 5 minutes. */
  readonly toleranceMs?: number | undefined;
  /** Now, Unix ms, for tests. */
  readonly nowMs?: number | undefined;
};

/** An event, and the id of its webhook: the same id again is the same event again, which may happen. */
export type VerifiedWebhook = WebhookEvent & { readonly id: string };

const usualToleranceMs = 300_000;

/** The event of a webhook that was signed with the secret (Standard Webhooks 1.0). Rejects with a WebhookError for any other. */
export async function verifyWebhook(received: ReceivedWebhook): Promise<VerifiedWebhook> {
  const { headers, toleranceMs = usualToleranceMs, nowMs = Date.now() } = received;
  const body = typeof received.body === "string" ? new TextEncoder().encode(received.body) : received.body;
  const id = headerOf(headers, "webhook-id");
  const timestamp = headerOf(headers, "webhook-timestamp");
  const signatures = headerOf(headers, "webhook-signature");
  const secrets = typeof received.secret === "string" ? [received.secret] : received.secret;
  if (!(await isSigned(signedBytes(id, timestamp, body), signatures, secrets)))
    throw new WebhookError(
      "WRONG_SIGNATURE",
      "The webhook's signature is wrong: check the secret, and pass the body as it arrived",
    );
  const ageMs = nowMs - Number(timestamp) * 1_000;
  if (!(ageMs <= toleranceMs))
    throw new WebhookError("TOO_OLD", `The webhook was sent more than ${toleranceMs / 1_000} s ago`);
  if (ageMs < -toleranceMs)
    throw new WebhookError("TOO_NEW", "The webhook was sent in the future: check the clock of this machine");
  return { ...readEvent(body), id };
}

function headerOf(headers: ReceivedWebhook["headers"], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : memberOf(headers, name);
  if (value === null || value === undefined || value === "")
    throw new WebhookError("MISSING_HEADER", `The request has no header ${name}: it is no webhook of Lookout`);
  return value;
}

function memberOf(headers: Readonly<Record<string, string | readonly string[] | undefined>>, name: string) {
  const key = Object.keys(headers).find((each) => each.toLowerCase() === name);
  const value = key === undefined ? undefined : headers[key];
  return typeof value === "string" ? value : value?.[0];
}

/** Whether one of the signatures in the header is that of one of the secrets. */
async function isSigned(signed: Uint8Array<ArrayBuffer>, header: string, secrets: readonly string[]): Promise<boolean> {
  for (const secret of secrets) {
    const key = await readWebhookSecret(secret, ["verify"]);
    for (const one of header.split(" ")) {
      const [version, text] = one.split(",", 2);
      const signature = version === "v1" ? fromBase64(text ?? "") : undefined;
      // Compares in constant time.
      if (signature !== undefined && (await crypto.subtle.verify("HMAC", key, signature, signed))) return true;
    }
  }
  return false;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function readEvent(body: Uint8Array): WebhookEvent {
  let event: unknown;
  try {
    event = JSON.parse(new TextDecoder().decode(body));
  } catch {
    throw new WebhookError("BAD_BODY", "The webhook's body is no JSON");
  }
  if (typeof event !== "object" || event === null || !("type" in event) || !("data" in event))
    throw new WebhookError("BAD_BODY", "The webhook's body is no event: it has no type or no data");
  return event as WebhookEvent;
}
