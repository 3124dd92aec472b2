import type { RowSource } from "../store/questdb/secondRead.ts";
import { withSessionsSql } from "./sessionSql.ts";
import { inactivityMs } from "./sessions.ts";

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
const bounceBelowMs = 10_000;

/**
 * Statistics of the pages viewed on the day, sorted by page. Rejects with the driver's error.
 *
 * - A view is an event of type page_view. A visitor counts once per page.
 * - The average duration is the mean over sessions with a reported time on page, to the millisecond. Trackers report
 *   the time so far repeatedly (page_view and page_exit), so each session counts with its longest. An event without a
 *   session counts by itself. 0 when no time was reported.
 * - The bounce rate is the share of bounces among the sessions that entered on the page (whose first view it was). A
 *   bounce has one view, no custom event, no outgoing link, and lasts under 10 s by its events and by every reported
 *   time on page. 0 when no session entered here.
 * - Sessions are those of sessions.ts, cut to this UTC day, so that an event changes the records of its own day only.
 */
export async function readPageStatistics(questdb: RowSource, range: PageRange): Promise<PageStatistics[]> {
  const views = await questdb.read(viewsSql(range.after), withRange(range, [range.limit]));
  const last = views.at(-1)?.["page"];
  if (last === undefined) return [];
  const referrers = await questdb.read(referrersSql(range.after), withRange(range, [String(last)]));
  const durations = await questdb.read(durationsSql(range.after), withRange(range, [String(last)]));
  const entries = await questdb.read(entriesSql(range.after), withRange(range, [String(last)]));

  const referrersOf = new Map<string, ReferrerCount[]>();
  for (const row of referrers) {
    const page = String(row["page"]);
    const list = referrersOf.get(page) ?? [];
    referrersOf.set(page, list);
    list.push({ source: String(row["source"]), count: Number(row["views"]) });
  }
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
      topReferrers: referrersOf.get(page) ?? [],
    };
  });
}

/** $1 website, $2 day, then `more`, then the page to start after if there is one. */
function withRange(range: PageRange, more: readonly (string | number)[]): (string | number)[] {
  return [range.websiteId, range.day, ...more, ...(range.after === null ? [] : [range.after])];
}

const ofWebsiteAndDay = "website_id = $1 AND ts IN $2";
const afterPage = (after: string | null) => (after === null ? "" : " AND path > $4");

const viewsSql = (after: string | null) => `
  SELECT page, views, visitors FROM (
    SELECT path page, count() views, count_distinct(visitor_key) visitors
    FROM events
    WHERE ${ofWebsiteAndDay} AND event_type = 'page_view' AND path IS NOT NULL${afterPage(after)}
    GROUP BY page
  ) ORDER BY page LIMIT $3`;

const referrersSql = (after: string | null) => `
  SELECT page, source, views FROM (
    SELECT page, source, views, row_number() OVER (PARTITION BY page ORDER BY views DESC, source) place FROM (
      SELECT path page, coalesce(nullif(referrer_source, ''), '${directSource}') source, count() views
      FROM events
      WHERE ${ofWebsiteAndDay} AND event_type = 'page_view' AND path <= $3${afterPage(after)}
      GROUP BY page, source
    )
  ) WHERE place <= ${referrersPerPage} ORDER BY page, place`;

const activitiesSql = withSessionsSql(`
  SELECT session_key, ts, event_key, event_type::varchar kind, path, time_on_page_ms
  FROM events WHERE ${ofWebsiteAndDay} AND session_key IS NOT NULL
  UNION ALL
  SELECT session_key, ts, event_key, 'link'::varchar kind, path, null::double time_on_page_ms
  FROM outgoing_links WHERE ${ofWebsiteAndDay} AND session_key IS NOT NULL`);

const durationsSql = (after: string | null) => `
  SELECT page, avg(longest_ms) avg_ms FROM (
    SELECT path page, session_key, session_began, max(time_on_page_ms) longest_ms
    FROM (${activitiesSql})
    WHERE kind IN ('page_view', 'page_exit') AND time_on_page_ms IS NOT NULL AND path <= $3${afterPage(after)}
    GROUP BY page, session_key, session_began
    UNION ALL
    SELECT path page, session_key, null::long session_began, time_on_page_ms longest_ms
    FROM events
    WHERE ${ofWebsiteAndDay} AND session_key IS NULL AND event_type IN ('page_view', 'page_exit')
      AND time_on_page_ms IS NOT NULL AND path <= $3${afterPage(after)}
  ) GROUP BY page`;

// first(path) would be shorter, but QuestDB 9.3.4 returns garbage for first(VARCHAR) that is grouped again.
const entriesSql = (after: string | null) => `
  SELECT page, count() entries, sum(bounced) bounces FROM (
    SELECT entry.page page,
      CASE WHEN session.views = 1 AND session.actions = 0 AND session.span_ms < ${bounceBelowMs}
        AND session.longest_ms < ${bounceBelowMs} THEN 1 ELSE 0 END bounced
    FROM (
      SELECT session_key, session_began, path page FROM (
        SELECT session_key, session_began, path,
          row_number() OVER (PARTITION BY session_key, session_began ORDER BY ts, event_key) place
        FROM (${activitiesSql}) WHERE kind = 'page_view'
      ) WHERE place = 1 AND path <= $3${afterPage(after)}
    ) entry
    JOIN (
      SELECT session_key, session_began,
        sum(CASE WHEN kind = 'page_view' THEN 1 ELSE 0 END) views,
        sum(CASE WHEN kind IN ('page_view', 'page_exit') THEN 0 ELSE 1 END) actions,
        (max(ts) - min(ts)) / 1000 span_ms,
        coalesce(max(CASE WHEN time_on_page_ms < ${inactivityMs} THEN time_on_page_ms ELSE null END), 0) longest_ms
      FROM (${activitiesSql})
      GROUP BY session_key, session_began
    ) session ON entry.session_key = session.session_key AND entry.session_began = session.session_began
  ) GROUP BY page`;
