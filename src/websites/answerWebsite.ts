import type { WebsiteInit } from "../gen/lookout/services.ts";
import { retentionOf } from "../retention/periods.ts";
import type { TrackingStatus } from "./trackingStatuses.ts";
import { type StoredWebsite, websiteMessage } from "./website.ts";
import type { WebsiteCall } from "./websiteCall.ts";

/** Websites of the caller's organization as answers show them, with their tracking status and retention periods. */
export async function answerWebsites(websites: readonly StoredWebsite[], call: WebsiteCall): Promise<WebsiteInit[]> {
  const statuses = await call.app.trackingStatuses.of(websites);
  return websites.map((website) => messageOf(website, statuses.get(website.id) ?? "unknown", call));
}

/** A website as answers show it, with its retention periods. */
export function messageOf(website: StoredWebsite, status: TrackingStatus, { app }: WebsiteCall): WebsiteInit {
  return websiteMessage(website, status, retentionOf(website, app.config.retention));
}

/** A single website as answers show it. */
export async function answerWebsite(website: StoredWebsite, call: WebsiteCall): Promise<{ website?: WebsiteInit }> {
  const [message] = await answerWebsites([website], call);
  return message === undefined ? {} : { website: message };
}
