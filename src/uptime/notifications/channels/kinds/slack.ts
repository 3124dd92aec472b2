import { readOutboundUrl } from "../../../../outbound/readOutboundUrl.ts";
import { notificationText } from "../../notificationText.ts";
import type { ChannelKindRules } from "./channelKind.ts";
import { postHook } from "./postHook.ts";
import { slackBody } from "./slackBody.ts";

/** Posts the message as text to a Slack-compatible hook. */
export const slack: ChannelKindRules = {
  readTarget: (target, { uptime }) => readOutboundUrl(target, "target", uptime.allowedRanges),
  // The path of a hook is a secret.
  shownTarget: (target) => new URL(target).host,
  send: ({ target, message }, { uptime }, signal) =>
    postHook(
      target,
      JSON.stringify(slackBody(notificationText(message))),
      {},
      { allowed: uptime.allowedRanges, signal },
    ),
};
