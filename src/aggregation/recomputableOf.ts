import { sessionKindsSql } from "../retention/kinds.ts";
import { oldestKeptMs } from "../retention/periods.ts";
import { type PeriodStores, periodsOfWebsites } from "../retention/websitePeriods.ts";
import { startOfUtcDay } from "../time/utcDay.ts";
import type { TouchedDay } from "./touchedDayQueue.ts";

/** Safety margin before retention starts to delete the day, so that a reader that has just started can finish. */
const marginMs = 600_000;

/** What can be recomputed from the events of a website-day: everything, sessions only, or nothing. */
export type Recomputable = "all" | "sessions" | "nothing";

/**
 * What can be recomputed from the remaining events of website-days.
 *
 * If raw events are past their retention, or soon will be, hardly anything is left to compute from: nothing is
 * recomputed, and the sessions expire with the events. If only custom events are gone, sessions are recomputed from
 * what is left, just as queries answer.
 *
 * Aggregates are kept longer than events (specification part 8). They stay as they were once some of a day's events are
 * gone, even if the periods have been lengthened since. Nothing expires for a website that PostgreSQL does not know.
 */
export async function recomputableOf<D extends TouchedDay>(
  stores: PeriodStores,
  days: readonly D[],
  nowMs: number,
): Promise<ReadonlyMap<D, Recomputable>> {
  const laterMs = nowMs + marginMs;
  const ids = days.map(({ websiteId }) => websiteId);
  const periods = await periodsOfWebsites(stores, ids, laterMs);
  const { rows } = await stores.postgres.query<TouchedDay>(
    `SELECT DISTINCT website_id AS "websiteId", day::text AS day FROM retention_erased
     WHERE (website_id, day) IN (SELECT * FROM unnest($1::text[], $2::date[])) AND kind = ANY(${sessionKindsSql})`,
    [ids, days.map(({ day }) => day)],
  );
  const thinned = new Set(rows.map(nameOf));
  const recomputable = (touched: D): Recomputable => {
    const kept = periods.get(touched.websiteId);
    if (kept === undefined) return "all";
    const isKept = (count: number) => startOfUtcDay(touched.day) >= oldestKeptMs(laterMs, count);
    if (!isKept(kept.rawEventsDays)) return "nothing";
    return isKept(kept.customEventsDays) && !thinned.has(nameOf(touched)) ? "all" : "sessions";
  };
  return new Map(days.map((day) => [day, recomputable(day)]));
}

const nameOf = ({ websiteId, day }: TouchedDay): string => `${websiteId} ${day}`;
