import { readOutboundUrl } from "../../../../outbound/readOutboundUrl.ts";
import type { ChannelKindRules } from "./channelKind.ts";
import { postHook } from "./postHook.ts";
import { createWebhookSecret, webhookHeaders } from "./webhookSignature.ts";

/** Posts the message as JSON with a signature (Standard Webhooks 1.0). */
export const webhook: ChannelKindRules = {
  readTarget: (target, { uptime }) => readOutboundUrl(target, "target", uptime.allowedRanges),
  createSecret: createWebhookSecret,
  // The path of a hook is a secret.
  shownTarget: (target) => new URL(target).host,
  send: ({ deliveryId, target, secret, message }, { uptime }, signal) => {
    const body = JSON.stringify(message);
    const headers = webhookHeaders(secret, deliveryId, Date.now(), body);
    return postHook(target, body, headers, { allowed: uptime.allowedRanges, signal });
  },
};
