import { setTimeout as pause } from "node:timers/promises";
import { inject } from "vitest";

/** Longer than the time after which every process follows a change: with the CACHE_MS of scaledLookout.ts at most a second. */
const othersKnowAfterMs = 1_500;

/** A change applies at once in the API that made it, and soon in others. With several APIs, resolves when all have it. */
export async function whenOthersKnow(): Promise<void> {
  if (inject("lookout").kind === "scale") await pause(othersKnowAfterMs);
}
