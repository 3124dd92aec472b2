import type { RowSource } from "../store/questdb/secondRead.ts";
import { dayMs, startOfUtcDay } from "../time/utcDay.ts";

/** One entry of `top_referrers`: how many of the page's views came from a source. */
export type ReferrerCount = { readonly source: string; readonly count: number };

/** The figures of one page of one website on one UTC day (specification part 2, Daily aggregation record). */
export type PageStatistics = {
  readonly page: string;
  readonly totalViews: number;
  readonly uniqueVisitors: number;
  readonly avgDurationSeconds: number;
  /** A fraction, 0 to 1. */
  readonly bounceRate: number;
  readonly topReferrers: readonly ReferrerCount[];
};

/** Which pages to read: at most `limit` of those that sort after `after`, or the first ones. `day` is YYYY-MM-DD. */
export type PageRange = {
  readonly websiteId: string;
  readonly day: string;
  readonly after: string | null;
  readonly limit: number;
};

const referrersPerPage = 10;

/** The source of a view without a referring website, named as in the answers to queries. */
const directSource = "Direct";

/** A session shorter than this with only one page view is a bounce. */
const bounceBelowSeconds = 10;

/**
 * Statistics of the pages viewed on the day, sorted by page. Rejects with the driver's error.
 *
 * Visits are whole and belong to the UTC day on which they began, with all of their events, as in answers to queries. They are the stored
 * sessions, so those that the day's events can have changed must be corrected first. Events without a visitor count at their own time.
 *
 * - A view is an event of type page_view. A visitor counts once per page. The source of a view is that of its visit.
 * - The average duration is the mean over visits with a reported time on page, to the millisecond. Trackers report
 *   the time so far repeatedly (page_view and page_exit), so each visit counts with its longest. An event without a
 *   visit counts by itself. 0 when no time was reported.
 * - The bounce rate is the share of bounces among the visits that entered on the page (whose first view it was). A
 *   bounce has one view, no custom event, no outgoing link, and lasts under 10 s by its events and by every reported
 *   time on page. 0 when no visit entered here.
 */
export async function readPageStatistics(questdb: RowSource, range: PageRange): Promise<PageStatistics[]> {
  const views = await questdb.read(viewsSql(range.after), withRange(range, [range.limit]));
  const last = views.at(-1)?.["page"];
  if (last === undefined) return [];
  const referrers = await questdb.read(referrersSql(range.after), withRange(range, [String(last)]));
  const durations = await questdb.read(durationsSql(range.after), withRange(range, [String(last)]));
  const entries = await questdb.read(entriesSql(range.after), withRange(range, [String(last)]));

  const referrersOf = Map.groupBy(referrers, (row) => String(row["page"]));
  const bounceRateOf = new Map(
    entries.map((row) => [String(row["page"]), Number(row["bounces"]) / Number(row["entries"])] as const),
  );
  // Rounded to milliseconds: the last digits of a mean depend on the order in which QuestDB's threads add.
  const averageMsOf = new Map(
    durations.map((row) => [String(row["page"]), Math.round(Number(row["avg_ms"]))] as const),
  );
  return views.map((row) => {
    const page = String(row["page"]);
    return {
      page,
      totalViews: Number(row["views"]),
      uniqueVisitors: Number(row["visitors"]),
      avgDurationSeconds: (averageMsOf.get(page) ?? 0) / 1_000,
      bounceRate: bounceRateOf.get(page) ?? 0,
      topReferrers: (referrersOf.get(page) ?? []).map((referrer) => ({
        source: String(referrer["source"]),
        count: Number(referrer["views"]),
      })),
    };
  });
}

/** $1 website, $2 day, $3 and $4 when events of its visits may be, then `more`, then the page to start after if there is one. */
function withRange({ websiteId, day, after }: PageRange, more: readonly (string | number)[]): (string | number)[] {
  const startMs = startOfUtcDay(day);
  const reach = [startMs, startMs + reachMs].map((ms) => new Date(ms).toISOString());
  return [websiteId, day, ...reach, ...more, ...(after === null ? [] : [after])];
}

/** A visit lasts until the end of the next day at most. */
const reachMs = 2 * dayMs;

const afterPage = (after: string | null) => (after === null ? "" : " AND path > $6");

/** Visits that began on the day; their place in the table is within the day of their start. */
const visitsSql = `
  SELECT session_key, started::long began, last_activity_ms * 1000 + 999 last, referrer_source::string source, entry_page,
    CASE WHEN page_count = 1 AND action_count = 0 AND click_count = 0 AND duration_seconds < ${bounceBelowSeconds} THEN 1 ELSE 0 END bounced
  FROM sessions WHERE website_id = $1 AND ts IN $2 AND last_activity_ms != null`;

/** Events of the day's visits, and those of the day without a visit: path, visitor_key, event_type, time_on_page_ms, source and `began` (null for none). */
const eventsSql = (conditions: string) => `
  SELECT path, visitor_key, event_type, time_on_page_ms, session_key, began, source FROM (
    SELECT session_key event_session_key, ts event_ts, path, visitor_key, event_type::varchar event_type, time_on_page_ms FROM events
    WHERE website_id = $1 AND ts >= $3 AND ts < $4 AND session_key != null AND ${conditions}
  ) JOIN (SELECT session_key, began, last, source FROM (${visitsSql})) ON event_session_key = session_key
  WHERE event_ts::long >= began AND event_ts::long <= last
  UNION ALL
  SELECT path, visitor_key, event_type::varchar event_type, time_on_page_ms, session_key, null::long began, referrer_source::string source
  FROM events WHERE website_id = $1 AND ts IN $2 AND session_key = null AND ${conditions}`;

const viewsSql = (after: string | null) => `
  SELECT page, views, visitors FROM (
    SELECT path page, count() views, count_distinct(visitor_key) visitors
    FROM (${eventsSql(`event_type = 'page_view' AND path IS NOT NULL${afterPage(after)}`)})
    GROUP BY page
  ) ORDER BY page LIMIT $5`;

const referrersSql = (after: string | null) => `
  SELECT page, source, views FROM (
    SELECT page, source, views, row_number() OVER (PARTITION BY page ORDER BY views DESC, source) place FROM (
      SELECT path page, coalesce(nullif(source, ''), '${directSource}') source, count() views
      FROM (${eventsSql(`event_type = 'page_view' AND path <= $5${afterPage(after)}`)})
      GROUP BY page, source
    )
  ) WHERE place <= ${referrersPerPage} ORDER BY page, place`;

const durationsSql = (after: string | null) => `
  SELECT page, avg(longest_ms) avg_ms FROM (
    SELECT path page, session_key, began, max(time_on_page_ms) longest_ms
    FROM (${eventsSql(timedSql(after))}) WHERE session_key != null
    GROUP BY page, session_key, began
    UNION ALL
    SELECT path page, session_key, began, time_on_page_ms longest_ms
    FROM (${eventsSql(timedSql(after))}) WHERE session_key = null
  ) GROUP BY page`;

const timedSql = (after: string | null) =>
  `event_type IN ('page_view', 'page_exit') AND time_on_page_ms IS NOT NULL AND path <= $5${afterPage(after)}`;

const entriesSql = (after: string | null) => `
  SELECT page, count() entries, sum(bounced) bounces FROM (SELECT entry_page page, bounced FROM (${visitsSql}))
  WHERE page <= $5${after === null ? "" : " AND page > $6"} GROUP BY page`;
