import { activityInfo, Context } from "@temporalio/activity";
import { type Correction, type CorrectionStores, correctTouchedDays } from "../src/aggregation/correctTouchedDays.ts";
import {
  type AggregationProgress,
  aggregateWebsites,
  noProgress,
  websitesWithViews,
} from "../src/aggregation/dailyAggregates.ts";

export type Activities = ReturnType<typeof createActivities>;

/** Below the workflow's heartbeat timeout, so that one slow query is not taken for a dead worker. */
const heartbeatEveryMs = 4_000;

/**
 * Everything that workflows may do to the world. Workflows import its type only. `settleMs` is the longest time from the note that a
 * day is touched to its rows being read.
 */
export function createActivities(stores: CorrectionStores, settleMs: number) {
  return {
    /** Ids of websites with page views on a UTC day, sorted, at most `limit` of those after `after`. */
    async listWebsites(day: string, after: string, limit: number): Promise<string[]> {
      return await websitesWithViews(stores.questdb, day, after, limit);
    },

    /** Stores the records of a day for these websites; goes on where a lost worker stopped. Answers how many records. */
    async aggregate(day: string, websiteIds: readonly string[]): Promise<number> {
      const context = Context.current();
      // Only the call below sets heartbeat details of this activity.
      let progress = (activityInfo().heartbeatDetails as AggregationProgress | undefined) ?? noProgress;
      const beat = setInterval(() => context.heartbeat(progress), heartbeatEveryMs);
      try {
        const done = await aggregateWebsites(
          stores,
          day,
          websiteIds,
          progress,
          (stored) => {
            progress = stored;
            context.heartbeat(stored);
          },
          context.cancellationSignal,
        );
        return done.records;
      } finally {
        clearInterval(beat);
      }
    },

    /** Corrects sessions and daily records of every website-day that got events. What a lost worker did is not done again. */
    async correctTouchedDays(): Promise<Correction> {
      const context = Context.current();
      const beat = setInterval(() => context.heartbeat(), heartbeatEveryMs);
      try {
        return await correctTouchedDays(stores, settleMs, () => context.heartbeat(), context.cancellationSignal);
      } finally {
        clearInterval(beat);
      }
    },
  };
}
