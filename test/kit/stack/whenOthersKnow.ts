import { setTimeout as pause } from "node:timers/promises";
import { inject } from "vitest";

/** Longer than the time after which every process follows a change: KEY_CACHE_MS, LINK_CACHE_MS, STATUS_PAGE_CACHE_MS and WEBSITE_CACHE_MS are a second. */
const othersKnowAfterMs = 1_500;

/** A change applies at once in the API that made it, and soon in others. With several APIs, resolves when all have it. */
export async function whenOthersKnow(): Promise<void> {
  if (inject("lookout").kind === "scale") await pause(othersKnowAfterMs);
}
