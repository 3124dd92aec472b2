import type { LookoutError } from "./client.ts";
import { websites } from "./websites.ts";

/** Whether a website measures its audience only; false if that is not known, as on public dashboards. */
export function measuresAudienceOnly(websiteId: string): boolean {
  const state = websites.value;
  return state.kind === "loaded" && state.websites.some(({ id, privacy }) => id === websiteId && privacy?.audienceOnly);
}

/** Whether a call was refused because the website measures its audience only: the service names the setting. */
export function isAudienceOnly({ details }: Pick<LookoutError, "details">): boolean {
  return details.some(({ field }) => field === "privacy.audienceOnly");
}
