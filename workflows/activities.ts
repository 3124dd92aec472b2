import { activityInfo, Context } from "@temporalio/activity";
import {
  type Correction,
  type CorrectionSettings,
  type CorrectionStores,
  correctTouchedDays,
  type MakeFigures,
} from "../src/aggregation/correctTouchedDays.ts";
import {
  type AggregationProgress,
  aggregateWebsitesOf,
  noProgress,
  websitesWithEvents,
} from "../src/aggregation/dailyAggregates.ts";
import { recomputableOf } from "../src/aggregation/recomputableOf.ts";
import { holdDays } from "../src/aggregation/touchedDayQueue.ts";
import { backfillFigures, hasFiguresSince } from "../src/query/daily/backfillFigures.ts";
import { type FigureApp, makeDailyFigures } from "../src/query/daily/makeDailyFigures.ts";
import type { DailySalt } from "../src/visitors/dailySalt.ts";
import { reportProgress } from "./heartbeat.ts";

export type Activities = ReturnType<typeof createActivities>;

/** How far an aggregation has come, and in which list. Plain JSON. */
type ListProgress = { readonly websites: readonly string[]; readonly progress: AggregationProgress };

export type ActivityStores = Omit<CorrectionStores, "makeFigures"> &
  FigureApp & { readonly salt: Pick<DailySalt, "destroyOld"> };

/** Activities of the aggregation and the salt rotation. Workflows import only their type. */
export function createActivities(stores: ActivityStores, settings: CorrectionSettings) {
  const makeFigures: MakeFigures = (...figures) => makeDailyFigures(stores, ...figures);
  const websitesWithAllEvents = async (day: string, websiteIds: readonly string[]): Promise<string[]> => {
    const days = websiteIds.map((websiteId) => ({ websiteId, day }));
    const recomputable = await recomputableOf({ ...stores, config: settings }, days, Date.now());
    return [...recomputable].flatMap(([{ websiteId }, what]) => (what === "all" ? [websiteId] : []));
  };

  return {
    /** Destroys the salts of the UTC days before `timeMs` (Unix ms) and before today. */
    async destroyOldSalts(timeMs: number): Promise<void> {
      // With a clock slightly behind the Schedule's, yesterday's salt must not stay for another day.
      await stores.salt.destroyOld(Math.max(timeMs, Date.now()));
    },

    /** Ids of websites with page views or custom events on a UTC day, sorted, at most `limit` of those after `after`. */
    async listWebsites(day: string, after: string, limit: number): Promise<string[]> {
      const nodes = await stores.questdb.nodeOfEach();
      const found = await Promise.all(nodes.map(({ reader }) => websitesWithEvents(reader, day, after, limit)));
      return [...new Set(found.flat())].sort().slice(0, limit);
    },

    /**
     * Stores the records and figures of a day for these websites and continues where a lost worker stopped. Returns the number of
     * records. Websites with events past their retention keep the records they have.
     */
    async aggregate(day: string, websiteIds: readonly string[]): Promise<number> {
      const context = Context.current();
      // Only the reports below set heartbeat details of this activity.
      const lost = activityInfo().heartbeatDetails as ListProgress | undefined;
      const websites = lost?.websites ?? (await websitesWithAllEvents(day, websiteIds));
      const report = (progress: AggregationProgress) => reportProgress({ websites, progress } satisfies ListProgress);
      const progress = lost?.progress ?? noProgress;
      report(progress);
      const days = websites.map((websiteId) => ({ websiteId, day }));
      const signal = context.cancellationSignal;
      return await holdDays(stores.postgres, days, async () => {
        const { records } = await aggregateWebsitesOf(stores.records, day, websites, progress, report, signal);
        for (const websiteId of websites) {
          await makeFigures(await stores.records.of(websiteId), websiteId, day, signal);
          report({ website: websites.length, after: null, records });
        }
        return records;
      });
    },

    /**
     * Corrects sessions and daily records of every website-day that got events. A retry skips the days that are done.
     */
    async correctTouchedDays(): Promise<Correction> {
      const signal = Context.current().cancellationSignal;
      const makeAgain: MakeFigures = async (node, websiteId, day, ended) => {
        if (await hasFiguresSince(stores, websiteId, day)) await makeFigures(node, websiteId, day, ended);
      };
      const done = await correctTouchedDays({ ...stores, makeFigures: makeAgain }, settings, reportProgress, signal);
      await backfillFigures(stores, reportProgress, signal);
      return done;
    },
  };
}
