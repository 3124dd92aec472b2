import { dayMs } from "../../../time/utcDay.ts";
import { type ShownMonitor, shownMonitor } from "../../figures/shownMonitor.ts";
import { lastSlotsOf, readSlots } from "../../figures/slotReader.ts";
import type { UptimeCall } from "../../uptimeCall.ts";
import { firstDayMs, type PageFacts, shownDays } from "./pageFacts.ts";

/** The states of a page's monitors by id, and when they were read, Unix ms. */
export type PageStates = { readonly monitors: ReadonlyMap<string, ShownMonitor>; readonly readMs: number };

/** Counts the checks of a page's monitors in QuestDB. */
export async function readPageStates(
  questdb: UptimeCall["app"]["questdb"],
  facts: PageFacts,
  nowMs: number,
): Promise<PageStates> {
  const monitors = facts.groups.flatMap((group) => group.monitors);
  const monitorIds = monitors.map(({ id }) => id);
  const range = { startMs: firstDayMs(nowMs), endMs: nowMs + 1 };
  const owner = facts.page.websiteId;
  const reader = { questdb: questdb.of(owner), options: { owner, signal: AbortSignal.timeout(timeoutMs) } };
  const slots = await readSlots(reader, monitorIds, range, { firstMs: range.startMs, stepMs: dayMs });
  const lastSlots = lastSlotsOf(slots);
  const slotsOf = Map.groupBy(slots, ({ monitorId }) => monitorId);
  const shown = monitors.map((monitor) =>
    shownMonitor(monitor, {
      nowMs,
      days: shownDays,
      startMs: range.startMs,
      figures: slotsOf.get(monitor.id) ?? [],
      last: lastSlots.get(monitor.id),
      scheduled: facts.schedules.get(monitor.id) ?? [],
      windows: facts.windows,
    }),
  );
  return { monitors: new Map(shown.map((monitor) => [monitor.id, monitor])), readMs: nowMs };
}

/** How long visitors of a page that is not in memory wait at most. */
const timeoutMs = 10_000;
