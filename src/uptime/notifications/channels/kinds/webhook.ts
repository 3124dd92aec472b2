import type { ChannelKindRules } from "./channelKind.ts";
import { hookTarget, postHook } from "./postHook.ts";
import { createWebhookSecret, webhookHeaders } from "./webhookSignature.ts";

/** Posts the message as JSON with a signature (Standard Webhooks 1.0). */
export const webhook: ChannelKindRules = {
  ...hookTarget,
  createSecret: createWebhookSecret,
  send: ({ deliveryId, target, secret, message }, { uptime }, signal) => {
    const body = JSON.stringify(message);
    const headers = webhookHeaders(secret, deliveryId, Date.now(), body);
    return postHook(target, body, headers, { allowed: uptime.allowedRanges, signal });
  },
};
