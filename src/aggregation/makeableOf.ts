import { sessionKindsSql } from "../lifecycle/retention/kinds.ts";
import { oldestKeptMs } from "../lifecycle/retention/periods.ts";
import { type PeriodStores, periodsOfWebsites } from "../lifecycle/retention/websitePeriods.ts";
import type { TouchedDay } from "./touchedDayQueue.ts";

/** A day is left alone so long before its events begin to go: whoever has begun to read them is done by then. */
const marginMs = 600_000;

/** What is to be made of the events of a website-day: all that was made of it before, sessions only, or nothing. */
export type Makeable = "all" | "sessions" | "nothing";

/**
 * What is to be made of the events of website-days that are left. Of raw events that are past their retention, or are about to be, hardly anything
 * would come out: sessions then go with them. Custom events may go earlier; sessions are then made of what is left, as answers are.
 *
 * Aggregates are kept longer than events (specification part 8) and stay as they were once some of a day's events went, even if
 * the periods were lengthened since. Nothing is erased of a website that PostgreSQL does not know.
 */
export async function makeableOf<D extends TouchedDay>(
  stores: PeriodStores,
  days: readonly D[],
  nowMs: number,
): Promise<ReadonlyMap<D, Makeable>> {
  const laterMs = nowMs + marginMs;
  const ids = days.map(({ websiteId }) => websiteId);
  const periods = await periodsOfWebsites(stores, ids, laterMs);
  const { rows } = await stores.postgres.query<TouchedDay>(
    `SELECT DISTINCT website_id AS "websiteId", day::text AS day FROM retention_erased
     WHERE (website_id, day) IN (SELECT * FROM unnest($1::text[], $2::date[])) AND kind = ANY(${sessionKindsSql})`,
    [ids, days.map(({ day }) => day)],
  );
  const thinned = new Set(rows.map(nameOf));
  const makeable = (touched: D): Makeable => {
    const kept = periods.get(touched.websiteId);
    if (kept === undefined) return "all";
    const isKept = (count: number) => Date.parse(`${touched.day}T00:00:00Z`) >= oldestKeptMs(laterMs, count);
    if (!isKept(kept.rawEventsDays)) return "nothing";
    return isKept(kept.customEventsDays) && !thinned.has(nameOf(touched)) ? "all" : "sessions";
  };
  return new Map(days.map((day) => [day, makeable(day)]));
}

const nameOf = ({ websiteId, day }: TouchedDay): string => `${websiteId} ${day}`;
