import { aggregateDay, isPast } from "../../aggregation/correctTouchedDays.ts";
import { recomputableOf } from "../../aggregation/recomputableOf.ts";
import { dayMs, startOfUtcDay, utcDayOf } from "../../time/utcDay.ts";
import { type FigureApp, type FigureStores, makeDailyFigures } from "./makeDailyFigures.ts";

/** An event can change visits that began on its day, the day before and two days after: see readActivities.ts. */
const reachedDays = [-1, 0, 1, 2] as const;

/** Makes the daily records and figures of a past UTC day (YYYY-MM-DD) from its stored sessions, which must be right. */
export async function makeRecordsOfDay(
  app: FigureApp,
  stores: FigureStores,
  websiteId: string,
  day: string,
  signal: AbortSignal,
): Promise<void> {
  await aggregateDay(stores, websiteId, day, signal);
  await makeDailyFigures(app, stores, websiteId, day, signal);
}

/**
 * Makes the daily records and figures of all days that these UTC days (YYYY-MM-DD) can have changed, as far as all of their events are kept.
 * The sessions must be right.
 */
export async function makeRecordsAround(
  app: FigureApp,
  stores: FigureStores,
  websiteId: string,
  days: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const around = days.flatMap((day) => reachedDays.map((offset) => utcDayOf(startOfUtcDay(day) + offset * dayMs)));
  const past = [...new Set(around)].filter(isPast).map((day) => ({ websiteId, day }));
  const recomputable = await recomputableOf(app, past, Date.now());
  for (const [{ day }, what] of recomputable) {
    if (what !== "all") continue;
    await makeRecordsOfDay(app, stores, websiteId, day, signal);
  }
}
