import type { NoticeText } from "../../noticeText.ts";

/** What a Slack-compatible hook takes: `text` for notifications, `blocks` for the channel. */
export type SlackBody = {
  readonly text: string;
  readonly blocks: readonly {
    readonly type: "section";
    readonly text: { readonly type: "mrkdwn"; readonly text: string };
  }[];
};

/** Slack's limit for the text of a section. */
const maxCharacters = 3_000;

/** A message for a Slack-compatible hook. */
export function slackBody({ title, lines }: NoticeText): SlackBody {
  const text = `*${escaped(title)}*\n${lines.map(escaped).join("\n")}`.slice(0, maxCharacters);
  return { text: escaped(title), blocks: [{ type: "section", text: { type: "mrkdwn", text } }] };
}

/** The three characters that Slack reads as control characters, so that nobody is mentioned by what a server answered. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
