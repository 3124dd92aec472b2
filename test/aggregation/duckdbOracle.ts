import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import type { TableRow } from "../../src/store/questdb/tables.ts";

/** The expected records of sessions and daily aggregates, one JSON text per record. */
export type OracleRecords = { readonly sessions: string[]; readonly aggregates: string[] };

/** The expected answers of queries over all events of a website; not rounded. */
export type OracleAnswers = {
  readonly summaries: OracleRow[];
  readonly days: OracleRow[];
  readonly pages: OracleRow[];
};

export type OracleRow = Readonly<Record<string, string | number | null>>;

/** An event that was sent and answered with success, even if it is dropped. Without an id it counts as often as it was sent. */
export type RawEvent = {
  readonly link: boolean;
  readonly us: number;
  readonly id?: string | undefined;
  readonly website_id: string;
  readonly event_key: number;
  readonly event_type: string;
  readonly visitor_key?: number | undefined;
  readonly session_key?: number | undefined;
  readonly session_id?: string | undefined;
  readonly anonymous_id?: string | undefined;
  readonly path?: string | undefined;
  readonly time_on_page_ms?: number | undefined;
  readonly referrer_source?: string | undefined;
  readonly utm_source?: string | undefined;
  readonly utm_campaign?: string | undefined;
  readonly country?: string | undefined;
  readonly spam?: boolean;
  /** Whether it comes from a bot, a spammer or a visitor with Do Not Track. */
  readonly ignored?: boolean;
};

/** Counts stored rows with DuckDB, by the definitions, written a second time in its SQL. Rows may be repeated. */
export async function countWithDuckdb(rows: readonly TableRow[]): Promise<OracleRecords> {
  return await countSentWithDuckdb(
    rows.flatMap(({ table, tsUs, values }): RawEvent[] => {
      if (table !== "events" && table !== "outgoing_links") return [];
      const { website_id = "", event_key = 0 } = values;
      const link = table === "outgoing_links";
      const event_type = "event_type" in values ? (values.event_type ?? "") : "link";
      return [{ ...values, website_id, event_key, link, us: tsUs, event_type, id: String(event_key) }];
    }),
  );
}

/** Counts events with DuckDB as they were sent, in the order in which they were answered. */
export async function countSentWithDuckdb(events: readonly RawEvent[]): Promise<OracleRecords & OracleAnswers> {
  const folder = await mkdtemp(join(tmpdir(), "lookout-oracle-"));
  const instance = await DuckDBInstance.create(":memory:");
  try {
    const file = join(folder, "events.ndjson");
    await writeFile(file, events.map((event, order) => JSON.stringify({ ...event, arrival: order })).join("\n"));
    const connection = await instance.connect();
    await connection.run(eventsSql(file));
    const list = async (sql: string) => {
      const result = await connection.runAndReadAll(sql);
      return result.getRowsJson().map(([record]) => String(record));
    };
    const rows = async (sql: string) => (await list(sql)).map((text): OracleRow => JSON.parse(text));
    return {
      sessions: await list(sessionsSql),
      aggregates: await list(aggregatesSql),
      summaries: await rows(summariesSql("0")),
      days: await rows(summariesSql("us // 86400000000")),
      pages: await rows(pagesSql),
    };
  } finally {
    instance.closeSync();
    await rm(folder, { recursive: true });
  }
}

/** Drops ignored events; of several events with one id the first remaining one counts, separately for links. */
const eventsSql = (file: string) => `
  CREATE TABLE events AS SELECT * EXCLUDE (arrival, id, ignored)
  FROM read_json('${file}', format = 'newline_delimited', columns = {
    arrival: 'BIGINT', id: 'VARCHAR', ignored: 'BOOLEAN',
    link: 'BOOLEAN', us: 'BIGINT', website_id: 'VARCHAR', event_key: 'BIGINT', event_type: 'VARCHAR', visitor_key: 'BIGINT',
    session_key: 'BIGINT', session_id: 'VARCHAR', anonymous_id: 'VARCHAR', path: 'VARCHAR', time_on_page_ms: 'DOUBLE',
    referrer_source: 'VARCHAR', utm_source: 'VARCHAR', utm_campaign: 'VARCHAR', country: 'VARCHAR' })
  WHERE ignored IS NOT TRUE
  QUALIFY id IS NULL OR row_number() OVER (PARTITION BY website_id, id, link ORDER BY arrival) = 1`;

/** Without ties, since two windows may order ties differently. */
const inOrder = "ORDER BY us, event_key, link";

/** Events with the number of their chain without a pause and, in chains of three days and more, of the day. */
const piecesSql = (where: string) => `
  SELECT *, CASE WHEN us // 86400000000 - chain_us // 86400000000 >= 2 THEN us // 86400000000 ELSE 0 END AS piece FROM (
    SELECT *, min(us) OVER (PARTITION BY website_id, session_key, chain, part) AS chain_us FROM (
      SELECT *, sum(begins) OVER (PARTITION BY website_id, session_key, part ${inOrder} ROWS UNBOUNDED PRECEDING) AS chain FROM (
        SELECT *, CASE WHEN us - lag(us) OVER (PARTITION BY website_id, session_key, part ${inOrder}) < 30 * 60 * 1000000
          THEN 0 ELSE 1 END AS begins
        FROM (${where}) WHERE session_key IS NOT NULL)))`;

const sessionsSql = `
  SELECT to_json({
    website_id: website_id, session_key: session_key, start: min(us), last: max(us) // 1000,
    visitor: max(visitor_key),
    session_id: first(session_id ${inOrder}) FILTER (session_id IS NOT NULL),
    anonymous_id: first(anonymous_id ${inOrder}) FILTER (anonymous_id IS NOT NULL),
    pages: count(*) FILTER (event_type = 'page_view'),
    seconds: greatest((max(us) - min(us)) / 1e6, coalesce(max(time_on_page_ms) FILTER (time_on_page_ms < 1800000), 0) / 1e3),
    entry: first(path ${inOrder}) FILTER (event_type = 'page_view'),
    exit: last(path ${inOrder}) FILTER (event_type = 'page_view'),
    utm_source: first(utm_source ${inOrder}) FILTER (utm_source IS NOT NULL),
    utm_campaign: first(utm_campaign ${inOrder}) FILTER (utm_campaign IS NOT NULL),
    country: first(country ${inOrder}) FILTER (country IS NOT NULL) })
  FROM (${piecesSql("SELECT *, 0 AS part FROM events")})
  GROUP BY website_id, session_key, chain, piece
  HAVING bool_or(event_type != 'page_exit')`;

/** Visits are whole: all of their events belong to the day on which they began. Events without a visitor belong to their own day. */
const aggregatesSql = `
  WITH pieces AS (${piecesSql("SELECT *, 0 AS part FROM events")}),
  visits AS (
    SELECT website_id, session_key, chain, piece, min(us) // 86400000000 AS day,
      first(nullif(referrer_source, '') ${inOrder}) FILTER (nullif(referrer_source, '') IS NOT NULL) AS source,
      first(path ${inOrder}) FILTER (event_type = 'page_view') AS entry,
      CASE WHEN count(*) FILTER (event_type = 'page_view') = 1 AND count(*) FILTER (event_type IN ('custom', 'link')) = 0
        AND max(us) - min(us) < 10000000 AND coalesce(max(time_on_page_ms) FILTER (time_on_page_ms < 1800000), 0) < 10000
        THEN 1 ELSE 0 END AS bounced
    FROM pieces GROUP BY website_id, session_key, chain, piece HAVING bool_or(event_type != 'page_exit')),
  counted AS (
    SELECT website_id, day, session_key, chain, piece, path AS page, event_type, visitor_key, time_on_page_ms, source
    FROM pieces JOIN (SELECT website_id, session_key, chain, piece, day, source FROM visits) USING (website_id, session_key, chain, piece)
    UNION ALL
    SELECT website_id, us // 86400000000, NULL, NULL, NULL, path, event_type, visitor_key, time_on_page_ms, nullif(referrer_source, '')
    FROM events WHERE session_key IS NULL),
  entries AS (
    SELECT website_id, day, entry AS page, avg(bounced) AS rate FROM visits WHERE entry IS NOT NULL GROUP BY ALL),
  referrers AS (
    SELECT website_id, day, page, list({source: source, count: views} ORDER BY views DESC, source) AS top FROM (
      SELECT website_id, day, page, coalesce(source, 'Direct') AS source, count(*) AS views FROM counted WHERE event_type = 'page_view' GROUP BY ALL)
    GROUP BY ALL),
  durations AS (
    SELECT website_id, day, page, round(avg(longest_ms)) / 1000 AS seconds FROM (
      SELECT website_id, day, page, max(time_on_page_ms) AS longest_ms FROM counted
      WHERE event_type IN ('page_view', 'page_exit') AND session_key IS NOT NULL GROUP BY website_id, day, page, session_key, chain, piece
      UNION ALL
      SELECT website_id, day, page, time_on_page_ms FROM counted WHERE event_type IN ('page_view', 'page_exit') AND session_key IS NULL)
    WHERE longest_ms IS NOT NULL GROUP BY ALL),
  pages AS (
    SELECT website_id, day, page, count(*) AS views, count(DISTINCT visitor_key) AS visitors
    FROM counted WHERE event_type = 'page_view' AND page IS NOT NULL GROUP BY ALL)
  SELECT to_json({
    website_id: website_id, day: strftime(to_timestamp(day * 86400) AT TIME ZONE 'UTC', '%Y-%m-%d'), page: page, views: views,
    visitors: visitors, seconds: coalesce(seconds, 0)::DOUBLE, bounce_rate: coalesce(rate, 0)::DOUBLE, referrers: top })
  FROM pages LEFT JOIN durations USING (website_id, day, page) LEFT JOIN entries USING (website_id, day, page) LEFT JOIN referrers USING (website_id, day, page)`;

/** Figures of a website by a group of its times; a session belongs with all of its events to the group of its first one. */
const summariesSql = (groupSql: string) => `
  WITH sessions AS (
    SELECT website_id, min(us) AS us, max(visitor_key) AS visitor, count(*) FILTER (event_type = 'page_view') AS pages,
      count(*) FILTER (event_type = 'custom') AS customs, count(*) FILTER (event_type IN ('custom', 'link')) AS actions,
      greatest((max(us) - min(us)) / 1e6, coalesce(max(time_on_page_ms) FILTER (time_on_page_ms < 1800000), 0) / 1e3) AS seconds
    FROM (${piecesSql("SELECT *, 0 AS part FROM events")})
    GROUP BY website_id, session_key, chain, piece HAVING bool_or(event_type != 'page_exit')),
  session_figures AS (
    SELECT website_id, ${groupSql} AS part, count(*) AS sessions, avg(pages) AS pages_per_session,
      100 * avg(CASE WHEN pages = 1 AND actions = 0 AND seconds < 10 THEN 1 ELSE 0 END) AS bounce_rate,
      avg(seconds) AS avg_session_duration, quantile_disc(seconds, 0.5) AS median_session_duration
    FROM sessions GROUP BY ALL),
  event_figures AS (
    SELECT website_id, part, sum(pageviews)::BIGINT AS pageviews, sum(visitors)::BIGINT AS visitors, sum(total_events)::BIGINT AS total_events FROM (
      SELECT website_id, ${groupSql} AS part, sum(pages) AS pageviews, count(DISTINCT visitor) AS visitors, sum(pages + customs) AS total_events
      FROM sessions GROUP BY ALL
      UNION ALL
      SELECT website_id, ${groupSql} AS part, count(*) FILTER (event_type = 'page_view'), 0, count(*) FILTER (event_type IN ('page_view', 'custom'))
      FROM events WHERE NOT link AND session_key IS NULL GROUP BY ALL)
    GROUP BY ALL HAVING sum(total_events) > 0)
  SELECT to_json({
    website_id: website_id, day: strftime(to_timestamp(part * 86400) AT TIME ZONE 'UTC', '%Y-%m-%d'),
    pageviews: coalesce(pageviews, 0), visitors: coalesce(visitors, 0), sessions: coalesce(sessions, 0),
    bounce_rate: bounce_rate, avg_session_duration: avg_session_duration, median_session_duration: median_session_duration,
    pages_per_session: pages_per_session,
    total_events: coalesce(total_events, 0) })
  FROM event_figures FULL JOIN session_figures USING (website_id, part) ORDER BY website_id, part`;

const pagesSql = `
  SELECT to_json({ website_id: website_id, path: path, pageviews: count(*), visitors: count(DISTINCT visitor_key) })
  FROM events WHERE event_type = 'page_view' GROUP BY website_id, path`;
