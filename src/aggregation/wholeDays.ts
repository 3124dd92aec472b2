import { type PeriodStores, periodsOfWebsites } from "../data/retention/websitePeriods.ts";
import { oldestKeptMs } from "../retention.ts";
import type { TouchedDay } from "./touchedDayQueue.ts";

/** A day is left alone so long before its events begin to go: whoever has begun to read them is done by then. */
const marginMs = 600_000;

/**
 * Those website-days whose events are all there. Of the others some events are past their retention or are about to be: what was made of them
 * stays as it is, since it would come out as nearly nothing, and aggregates are kept longer than events (specification part 8).
 *
 * Custom events decide whether a session bounced, so they must be there as well. Nothing is erased of a website that PostgreSQL does not know.
 */
export async function wholeDays<D extends TouchedDay>(
  stores: PeriodStores,
  days: readonly D[],
  nowMs: number,
): Promise<ReadonlySet<D>> {
  const laterMs = nowMs + marginMs;
  const periods = await periodsOfWebsites(
    stores,
    days.map(({ websiteId }) => websiteId),
    laterMs,
  );
  const isWhole = ({ websiteId, day }: D): boolean => {
    const kept = periods.get(websiteId);
    if (kept === undefined) return true;
    const shortest = Math.min(kept.rawEventsDays, kept.customEventsDays);
    return Date.parse(`${day}T00:00:00Z`) >= oldestKeptMs(laterMs, shortest);
  };
  return new Set(days.filter(isWhole));
}
