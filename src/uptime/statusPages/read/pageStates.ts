import { readDays, type ShownMonitor, shownMonitors } from "../../figures/shownMonitor.ts";
import type { UptimeCall } from "../../uptimeCall.ts";
import { type PageFacts, shownDays } from "./pageFacts.ts";

/** The states of a page's monitors by id, and when they were read, Unix ms. */
export type PageStates = { readonly monitors: ReadonlyMap<string, ShownMonitor>; readonly readMs: number };

/** How long visitors of a page that is not in memory wait at most. */
const timeoutMs = 10_000;

/** Counts the checks of a page's monitors in QuestDB. */
export async function readPageStates(
  questdb: UptimeCall["app"]["questdb"],
  facts: PageFacts,
  nowMs: number,
): Promise<PageStates> {
  const monitors = facts.groups.flatMap((group) => group.monitors);
  const shown = { days: shownDays, nowMs };
  const signal = AbortSignal.timeout(timeoutMs);
  const slots = await readDays(monitors, { questdb, owner: facts.page.websiteId, signal }, shown);
  const states = shownMonitors(monitors, { ...facts, slots }, shown);
  return { monitors: new Map(states.map((monitor) => [monitor.id, monitor])), readMs: nowMs };
}
