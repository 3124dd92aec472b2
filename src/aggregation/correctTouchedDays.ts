import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { Metrics } from "../observability/metrics.ts";
import type { Questdbs } from "../store/questdb/questdbs.ts";
import { DisagreeingReadsError } from "../store/questdb/secondRead.ts";
import { appliedSoonMs, whenApplied } from "../store/questdb/whenApplied.ts";
import type { RecordStores } from "../store/write/storesOfWebsites.ts";
import { utcDayOf } from "../time/utcDay.ts";
import { type AggregationStores, aggregateWebsites, noProgress } from "./dailyAggregates.ts";
import { recomputableOf } from "./recomputableOf.ts";
import { renewOldSessions } from "./sessionsVersion.ts";
import { correctSessions, type QueueDays } from "./storedSessions.ts";
import { readTouchedDays, type TouchedDay, takeTouchedDay, touchDays } from "./touchedDayQueue.ts";

export type CorrectionStores = {
  readonly questdb: Pick<Questdbs, "nodeOfEach">;
  readonly records: RecordStores;
  readonly postgres: Pool;
  readonly log: Pick<Logger, "warn">;
  readonly metrics: Pick<Metrics, "disagreeingReads">;
  readonly makeFigures: MakeFigures;
};

/** Stores the daily figures of a website for a UTC day that is over; they are made as queries answer. */
export type MakeFigures = (
  stores: AggregationStores,
  websiteId: string,
  day: string,
  signal: AbortSignal,
) => Promise<unknown>;

export type CorrectionSettings = {
  /** The longest time from marking a day as touched until its rows can be read. */
  readonly settleMs: number;
  /** Default days for which events are kept. */
  readonly retention: Config["retention"];
};

/**
 * What a run did: website-days corrected, rows of sessions and aggregation records written, days skipped as past
 * retention, and days that failed and stay in the queue.
 */
export type Correction = {
  readonly days: number;
  readonly sessions: number;
  readonly records: number;
  readonly expired: number;
  readonly failed: number;
};

/** Website-days per run; the rest waits for the next run. */
const daysPerRun = 1_000;

/**
 * A correction mostly waits for QuestDB to apply what it wrote, so several websites are corrected at once. The days of one website follow
 * each other, since sessions may cross midnight. Each takes a connection to PostgreSQL and now and then a second one, so half of them
 * must do.
 */
const websitesAtOnce = ({ options }: Pool) => Math.max(1, Math.min(4, Math.floor(options.max / 2)));

/**
 * Corrects the stored sessions, and for days before today (UTC) the daily aggregation records, of every website-day
 * that got events.
 *
 * Each queued day is tried once; one that fails is logged, stays in the queue and does not hold up others. Rejects when
 * PostgreSQL cannot list the queue, and with AbortError when `signal` aborts.
 *
 * Days with events past the website's retention are only partly corrected, or not at all: see recomputableOf.ts.
 */
export async function correctTouchedDays(
  stores: CorrectionStores,
  { settleMs, retention }: CorrectionSettings,
  onProgress: (soFar: Correction) => void,
  signal: AbortSignal,
): Promise<Correction> {
  const soFar = { days: 0, sessions: 0, records: 0, expired: 0, failed: 0 };
  await renewOldSessions(stores);
  const touchedDays = await readTouchedDays(stores.postgres, settleMs, daysPerRun);
  const correct = async (touched: TouchedDay) => {
    const { websiteId, day } = touched;
    try {
      await takeTouchedDay(stores.postgres, touched, settleMs, async () => {
        const recomputables = await recomputableOf({ ...stores, config: { retention } }, [touched], Date.now());
        const recomputable = recomputables.get(touched);
        if (recomputable === "nothing") {
          soFar.expired += 1;
          return;
        }
        const isWhole = recomputable === "all";
        // Days before are queued too: a visit over midnight belongs to the day before.
        const queueDays: QueueDays = (days) => {
          const past = days.filter(isPast).map((other) => ({ websiteId, day: other }));
          return touchDays(stores.postgres, past);
        };
        const node = await stores.records.of(websiteId);
        const done = isWhole
          ? await correctDay(node, websiteId, day, signal, queueDays)
          : { sessions: await correctSessions(node, websiteId, day, signal, queueDays), records: 0 };
        if (isWhole && isPast(day)) await stores.makeFigures(node, websiteId, day, signal);
        soFar.days += 1;
        soFar.sessions += done.sessions;
        soFar.records += done.records;
      });
    } catch (error) {
      if (signal.aborted) return;
      soFar.failed += 1;
      if (error instanceof DisagreeingReadsError) stores.metrics.disagreeingReads.inc();
      stores.log.warn(
        { err: error, websiteId, day },
        "a day could not be corrected; it is tried again in the next run",
      );
    }
    onProgress({ ...soFar });
  };
  const websites = Map.groupBy(touchedDays, ({ websiteId }) => websiteId).values();
  // Each call takes the next website that no other call has taken.
  const correctWebsites = async () => {
    for (const days of websites) for (const touched of days) if (!signal.aborted) await correct(touched);
  };
  await Promise.all(Array.from({ length: websitesAtOnce(stores.postgres) }, correctWebsites));
  signal.throwIfAborted();
  return soFar;
}

/**
 * Makes the stored sessions and, once the day is over, the daily records of a website-day equal to its events. Resolves
 * to the number of rows written.
 */
export async function correctDay(
  stores: AggregationStores,
  websiteId: string,
  day: string,
  signal: AbortSignal,
  queueDays?: QueueDays,
): Promise<{ readonly sessions: number; readonly records: number }> {
  const sessions = await correctSessions(stores, websiteId, day, signal, queueDays);
  const records = isPast(day) ? await aggregateDay(stores, websiteId, day, signal) : 0;
  return { sessions, records };
}

/** Makes the daily records of a UTC day (YYYY-MM-DD) from its stored sessions, which must be right. Resolves to their number. */
export async function aggregateDay(
  stores: AggregationStores,
  websiteId: string,
  day: string,
  signal: AbortSignal,
): Promise<number> {
  await whenApplied(stores.questdb, ["daily_aggregates"], signal, appliedSoonMs);
  const { records } = await aggregateWebsites(stores, day, [websiteId], noProgress, () => undefined, signal);
  return records;
}

/** Today's records are written when the day is over. */
export function isPast(day: string): boolean {
  return day < utcDayOf(Date.now());
}
