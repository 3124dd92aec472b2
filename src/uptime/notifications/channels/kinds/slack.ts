import { type NotificationText, notificationText } from "../../message/notificationText.ts";
import type { ChannelKindRules } from "./channelKind.ts";
import { hookTarget, postHook } from "./postHook.ts";

/** Posts the message as text to a Slack-compatible hook. */
export const slack: ChannelKindRules = {
  ...hookTarget,
  send: ({ target, message }, { uptime }, signal) =>
    postHook(
      target,
      JSON.stringify(slackBody(notificationText(message))),
      {},
      { allowed: uptime.allowedRanges, signal },
    ),
};

/** Slack's limit for the text of a section. */
const maxCharacters = 3_000;

/** A message for a Slack-compatible hook: `text` for notifications, `blocks` for the channel. */
function slackBody({ title, lines }: NotificationText) {
  const text = `*${escaped(title)}*\n${lines.map(escaped).join("\n")}`.slice(0, maxCharacters);
  return { text: escaped(title), blocks: [{ type: "section", text: { type: "mrkdwn", text } }] };
}

/** Escapes the three control characters of Slack, so that text from a server cannot mention anyone. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
