import type { WebsiteInit } from "../gen/lookout/services.ts";
import { type StoredWebsite, websiteMessage } from "./website.ts";
import type { WebsiteCall } from "./websiteCall.ts";

/** Websites of the caller's organization as answers show them, with their tracking status and retention periods. */
export async function answerWebsites(websites: readonly StoredWebsite[], call: WebsiteCall): Promise<WebsiteInit[]> {
  const statuses = await call.app.trackingStatuses.of(websites);
  return websites.map((website) => websiteMessage(website, statuses.get(website.id) ?? "unknown", call));
}

/** A single website as answers show it. */
export async function answerWebsite(website: StoredWebsite, call: WebsiteCall): Promise<{ website?: WebsiteInit }> {
  const [message] = await answerWebsites([website], call);
  return message === undefined ? {} : { website: message };
}
