import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import type { TableRow } from "../../src/store/tables.ts";

/** What the records of sessions and daily aggregates must be, one JSON text a record. */
export type OracleRecords = { readonly sessions: string[]; readonly aggregates: string[] };

/** Counts the accepted rows with DuckDB, by the definitions written down once more in its SQL. Rows may be repeated. */
export async function countWithDuckdb(rows: readonly TableRow[]): Promise<OracleRecords> {
  const folder = await mkdtemp(join(tmpdir(), "lookout-oracle-"));
  const instance = await DuckDBInstance.create(":memory:");
  try {
    const file = join(folder, "events.ndjson");
    const lines = rows.map((row) =>
      JSON.stringify({ link: row.table === "outgoing_links", us: row.tsUs, ...row.values }),
    );
    await writeFile(file, lines.join("\n"));
    const connection = await instance.connect();
    await connection.run(eventsSql(file));
    const list = async (sql: string) => {
      const result = await connection.runAndReadAll(sql);
      return result.getRowsJson().map(([record]) => String(record));
    };
    return { sessions: await list(sessionsSql), aggregates: await list(aggregatesSql) };
  } finally {
    instance.closeSync();
    await rm(folder, { recursive: true });
  }
}

const eventsSql = (file: string) => `
  CREATE TABLE events AS SELECT DISTINCT * REPLACE (CASE WHEN link THEN 'link' ELSE event_type END AS event_type)
  FROM read_json('${file}', format = 'newline_delimited', columns = {
    link: 'BOOLEAN', us: 'BIGINT', website_id: 'VARCHAR', event_key: 'BIGINT', event_type: 'VARCHAR', visitor_key: 'BIGINT',
    session_key: 'BIGINT', session_id: 'VARCHAR', anonymous_id: 'VARCHAR', path: 'VARCHAR', time_on_page_ms: 'DOUBLE',
    referrer_source: 'VARCHAR', utm_source: 'VARCHAR', utm_campaign: 'VARCHAR', country: 'VARCHAR' })`;

/** Without ties, since two windows need not order ties alike. */
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
    visitor: first(visitor_key ${inOrder}) FILTER (visitor_key IS NOT NULL),
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

const aggregatesSql = `
  WITH pieces AS (${piecesSql("SELECT *, us // 86400000000 AS part FROM events")}),
  entries AS (
    SELECT website_id, part, page, avg(bounced) AS rate FROM (
      SELECT website_id, part, first(path ${inOrder}) FILTER (event_type = 'page_view') AS page,
        CASE WHEN count(*) FILTER (event_type = 'page_view') = 1 AND count(*) FILTER (event_type IN ('custom', 'link')) = 0
          AND max(us) - min(us) < 10000000 AND coalesce(max(time_on_page_ms) FILTER (time_on_page_ms < 1800000), 0) < 10000
          THEN 1 ELSE 0 END AS bounced
      FROM pieces GROUP BY website_id, part, session_key, chain)
    WHERE page IS NOT NULL GROUP BY ALL),
  referrers AS (
    SELECT website_id, part, page, list({source: source, count: views} ORDER BY views DESC, source) AS top FROM (
      SELECT website_id, us // 86400000000 AS part, path AS page, coalesce(nullif(referrer_source, ''), 'Direct') AS source, count(*) AS views
      FROM events WHERE event_type = 'page_view' GROUP BY ALL)
    GROUP BY ALL),
  pages AS (
    SELECT website_id, us // 86400000000 AS part, path AS page, count(*) FILTER (event_type = 'page_view') AS views,
      count(DISTINCT visitor_key) FILTER (event_type = 'page_view') AS visitors,
      coalesce(round(avg(time_on_page_ms)), 0) / 1000 AS seconds
    FROM events WHERE event_type IN ('page_view', 'page_exit') AND path IS NOT NULL
    GROUP BY ALL HAVING count(*) FILTER (event_type = 'page_view') > 0)
  SELECT to_json({
    website_id: website_id, day: strftime(to_timestamp(part * 86400) AT TIME ZONE 'UTC', '%Y-%m-%d'), page: page, views: views,
    visitors: visitors, seconds: seconds, bounce_rate: coalesce(rate, 0)::DOUBLE, referrers: top })
  FROM pages LEFT JOIN entries USING (website_id, part, page) LEFT JOIN referrers USING (website_id, part, page)`;
