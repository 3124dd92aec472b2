import type { LookoutError } from "./client.ts";
import { websites } from "./websites.ts";

/** Whether a website measures its audience only; false if that is not known, as on public dashboards. */
export function measuresAudienceOnly(websiteId: string): boolean {
  const state = websites.value;
  return state.kind === "loaded" && state.websites.some(({ id, privacy }) => id === websiteId && privacy?.audienceOnly);
}

/** Whether a call was refused because the website measures its audience only: the service's sentence names the setting. */
export function isAudienceOnly({ message }: Pick<LookoutError, "message">): boolean {
  return message.includes("privacy.audienceOnly");
}
