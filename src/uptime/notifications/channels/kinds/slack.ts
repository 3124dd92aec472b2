import { readOutboundUrl } from "../../../../outbound/readOutboundUrl.ts";
import { noticeText } from "../../noticeText.ts";
import type { ChannelKindRules } from "./channelKind.ts";
import { postHook } from "./postHook.ts";
import { slackBody } from "./slackBody.ts";

/** Posts the message as text to a Slack-compatible hook. */
export const slack: ChannelKindRules = {
  readTarget: (target, { uptime }) => readOutboundUrl(target, "target", uptime.allowedRanges),
  // The path of a hook is a secret.
  shownTarget: (target) => new URL(target).host,
  send: ({ target, message }, { uptime }, signal) =>
    postHook(target, JSON.stringify(slackBody(noticeText(message))), {}, { allowed: uptime.allowedRanges, signal }),
};
