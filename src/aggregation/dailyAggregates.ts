import { isDeepStrictEqual } from "node:util";
import type { QuestdbReader } from "../store/questdb/questdbReader.ts";
import { DisagreeingReadsError, secondRead } from "../store/questdb/secondRead.ts";
import type { RowOf } from "../store/questdb/tables.ts";
import type { RowWriter } from "../store/write/rowWriter.ts";
import type { RecordStores } from "../store/write/storesOfWebsites.ts";
import { startOfUtcDay } from "../time/utcDay.ts";
import { type PageStatistics, readPageStatistics } from "./pageStatistics.ts";

/** The stores of the aggregation: events are read from QuestDB, records are written to it. */
export type AggregationStores = { readonly questdb: QuestdbReader; readonly rows: Pick<RowWriter, "write"> };

/** How far the aggregation of a list of websites has come; everything before is stored. Plain JSON. */
export type AggregationProgress = {
  /** Index in the list of the website to continue with. */
  readonly website: number;
  /** The last page done of that website, null when none is. */
  readonly after: string | null;
  /** Records written so far. */
  readonly records: number;
};

/** The progress before the first page. */
export const noProgress: AggregationProgress = { website: 0, after: null, records: 0 };

/** Pages read at once: bounds the memory for websites with very many pages to some MB. */
const pagesPerRead = 5_000;

/** Records per write, so that one aggregation does not fill the writer's queue. */
const recordsPerWrite = 1_000;

/**
 * Ids of websites with a page view or custom event on a UTC day (YYYY-MM-DD), sorted, at most `limit` of those after `after`.
 *
 * A website without any is left out on purpose and keeps its records: raw events expire long before aggregates
 * (specification part 8), so "no events" does not mean "nothing happened".
 */
export async function websitesWithEvents(
  questdb: QuestdbReader,
  day: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await questdb.read(
    `SELECT website_id FROM (
       SELECT website_id::varchar website_id, count() n FROM events WHERE ts IN $1 AND event_type IN ('page_view', 'custom')
     ) WHERE website_id > $2 ORDER BY website_id LIMIT $3`,
    [day, after, limit],
  );
  return rows.map((row) => String(row["website_id"]));
}

/** As aggregateWebsites, each website in the QuestDB in which its records are computed. */
export async function aggregateWebsitesOf(
  stores: RecordStores,
  day: string,
  websiteIds: readonly string[],
  from: AggregationProgress,
  onProgress: (progress: AggregationProgress) => void,
  signal: AbortSignal,
): Promise<AggregationProgress> {
  let progress = from;
  while (progress.website < websiteIds.length) {
    const node = await stores.of(websiteIds[progress.website] ?? "");
    // Websites of one QuestDB follow each other.
    const end = node.node.replica === "" ? websiteIds.length : progress.website + 1;
    progress = await aggregateWebsites(node, day, websiteIds.slice(0, end), progress, onProgress, signal);
  }
  return progress;
}

/**
 * Stores the daily aggregation records (specification part 2) of the given websites for one UTC day (YYYY-MM-DD), from the stored sessions
 * and their events. Sessions that are not right yet are queued, and their correction makes the records again.
 *
 * Running it again gives the same rows, since a record replaces the one of its day, website and page. A page that has a
 * record but no views any more gets a record of zeros, because QuestDB cannot delete rows: readers filter by
 * `total_views > 0`. Records of zeros, and records with fewer views or visitors than before, are only written if a second
 * read on another connection finds the same; else it rejects with DisagreeingReadsError. `onProgress` gets what is stored so far; a later run continues there when given as `from`. Rejects
 * with AbortError when `signal` aborts.
 */
export async function aggregateWebsites(
  stores: AggregationStores,
  day: string,
  websiteIds: readonly string[],
  from: AggregationProgress,
  onProgress: (progress: AggregationProgress) => void,
  signal: AbortSignal,
): Promise<AggregationProgress> {
  let progress = from;
  let waiting: RowOf<"daily_aggregates">[] = [];
  while (progress.website < websiteIds.length) {
    signal.throwIfAborted();
    const websiteId = websiteIds[progress.website] ?? "";
    const range = { websiteId, day, after: progress.after, limit: pagesPerRead };
    const found = await readPageStatistics(stores.questdb, range);
    const isLast = found.length < pagesPerRead;
    const upTo = isLast ? null : (found.at(-1)?.page ?? null);
    const gone = await pagesWithRecords(stores.questdb, day, websiteId, progress.after, upTo);
    let takesAway = false;
    for (const statistics of found) {
      const stored = gone.get(statistics.page);
      gone.delete(statistics.page);
      if (stored !== undefined && isLess(statistics, stored)) takesAway = true;
    }
    if (
      (takesAway || gone.size > 0) &&
      !isDeepStrictEqual(await readPageStatistics(secondRead(stores.questdb), range), found)
    )
      throw new DisagreeingReadsError(`the daily records of ${websiteId} on ${day} were kept: two reads disagree`);
    const records = [...found, ...[...gone.keys()].map(emptyStatistics)];
    waiting.push(...records.map((statistics) => recordRow(day, websiteId, statistics)));
    progress = {
      website: isLast ? progress.website + 1 : progress.website,
      after: upTo,
      records: progress.records + records.length,
    };
    // Small websites share a write: each commit to QuestDB costs about as much as a thousand rows.
    if (waiting.length >= recordsPerWrite || progress.website === websiteIds.length) {
      for (let at = 0; at < waiting.length; at += recordsPerWrite)
        await stores.rows.write(waiting.slice(at, at + recordsPerWrite));
      waiting = [];
      onProgress(progress);
    }
  }
  return progress;
}

type StoredFigures = Pick<PageStatistics, "totalViews" | "uniqueVisitors">;

/** Whether a record lacks something that the stored one has, as when events were not read. */
function isLess(made: PageStatistics, stored: StoredFigures): boolean {
  return made.totalViews < stored.totalViews || made.uniqueVisitors < stored.uniqueVisitors;
}

/** Records with views of pages after `after` and up to `upTo` (null: unbounded). */
async function pagesWithRecords(
  questdb: QuestdbReader,
  day: string,
  websiteId: string,
  after: string | null,
  upTo: string | null,
): Promise<Map<string, StoredFigures>> {
  const values: string[] = [websiteId, day];
  let bounds = "";
  if (after !== null) bounds += ` AND page > $${values.push(after)}`;
  if (upTo !== null) bounds += ` AND page <= $${values.push(upTo)}`;
  const rows = await questdb.read(
    `SELECT page, total_views, unique_visitors FROM daily_aggregates WHERE website_id = $1 AND ts IN $2 AND total_views > 0${bounds}`,
    values,
  );
  return new Map(
    rows.map((row) => [
      String(row["page"]),
      { totalViews: Number(row["total_views"]), uniqueVisitors: Number(row["unique_visitors"]) },
    ]),
  );
}

function emptyStatistics(page: string): PageStatistics {
  return { page, totalViews: 0, uniqueVisitors: 0, avgDurationSeconds: 0, bounceRate: 0, topReferrers: [] };
}

/** The row of one record; its time is 00:00 of the UTC day. */
function recordRow(day: string, websiteId: string, statistics: PageStatistics): RowOf<"daily_aggregates"> {
  return {
    table: "daily_aggregates",
    tsUs: startOfUtcDay(day) * 1_000,
    values: {
      website_id: websiteId,
      page: statistics.page,
      total_views: statistics.totalViews,
      unique_visitors: statistics.uniqueVisitors,
      avg_duration_seconds: statistics.avgDurationSeconds,
      bounce_rate: statistics.bounceRate,
      top_referrers: JSON.stringify(statistics.topReferrers),
    },
  };
}
