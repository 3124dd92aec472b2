import type { LinkInit } from "../../gen/lookout/services.ts";
import { type Link, linkMessage } from "../link.ts";
import type { LinkCall } from "../linkCall.ts";
import { clickCounts } from "./clickCounts.ts";

/** Links as answers show them, with their clicks. */
export async function answerLinks(links: readonly Link[], { app }: LinkCall): Promise<LinkInit[]> {
  const counts = await clickCounts(links, app);
  const { baseUrl } = app.config.server;
  return links.map((link) => linkMessage(link, counts === undefined ? undefined : (counts.get(link.id) ?? 0), baseUrl));
}

/** A single link as answers show it. */
export async function answerLink(link: Link, call: LinkCall): Promise<{ link?: LinkInit }> {
  const [message] = await answerLinks([link], call);
  return message === undefined ? {} : { link: message };
}
