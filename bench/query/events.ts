import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";

/** Events of generated websites over whole days. The same shape always gives the same rows. */
export type EventShape = {
  readonly events: number;
  readonly websites: number;
  readonly firstMs: number;
  readonly days: number;
  /** Indexes of the websites, by size, whose events are all in the first part. */
  readonly measured: readonly number[];
};

/**
 * Files of the rows. The first part holds the measured websites and a tenth of the others, the second the rest, so that loading it makes
 * the others ten times as large.
 */
export type EventFiles = { readonly events: readonly [string, string]; readonly links: readonly [string, string] };

/** The id of the website that is the n-th by size, from 1. */
export function websiteIdOf(place: number): string {
  return `00000000-0000-4000-8000-${String(place).padStart(12, "0")}`;
}

/** Writes the rows as Parquet, with columns named as the tables of QuestDB name them. */
export async function writeEvents(folder: string, shape: EventShape): Promise<EventFiles> {
  await mkdir(folder, { recursive: true });
  const file = (name: string) => join(folder, `${name}.parquet`);
  const files: EventFiles = {
    events: [file("events1"), file("events2")],
    links: [file("links1"), file("links2")],
  };
  const instance = await DuckDBInstance.create(":memory:");
  try {
    const connection = await instance.connect();
    await connection.run(visitsSql(shape));
    const write = async (path: string, sql: string, isFirst: boolean) =>
      // QuestDB 9.3.4 misreads dictionaries with nulls.
      connection.run(
        `COPY (SELECT * EXCLUDE is_first FROM (${sql}) WHERE is_first = ${isFirst} ORDER BY ts) TO '${path}' (FORMAT parquet, COMPRESSION lz4_raw, DICTIONARY_SIZE_LIMIT 1)`,
      );
    for (const [index, isFirst] of [true, false].entries()) {
      await write(files.events[index] ?? "", eventsSql, isFirst);
      await write(files.links[index] ?? "", linksSql, isFirst);
    }
    return files;
  } finally {
    instance.closeSync();
  }
}

/** Events of a visit, on average: see `visitsSql`. */
const eventsPerVisit = 3;

/** A number from 0 to 1 that depends on the row and on `salt` only. */
const chance = (of: string, salt: number) => `(hash(${of}, ${salt}) % 1000003 / 1000003.0)`;
const some = (salt: number) => chance("visit", salt);
const oneOf = (values: readonly string[], at: string) =>
  `[${values.map((value) => `'${value}'`).join(", ")}][1 + floor(${at} * ${values.length})::int]`;

/** Visits: a website by a power law, a visitor who may come again, a start with more by day than by night. */
function visitsSql({ events, websites, firstMs, days, measured }: EventShape): string {
  return `
    CREATE TABLE visits AS
    WITH sites AS (
      SELECT place, (${events / eventsPerVisit} * pow(place, -1.1) / sum(pow(place, -1.1)) OVER ())::bigint AS visits
      FROM range(1, ${websites + 1}) AS t(place)),
    numbered AS (SELECT place, visits, place * 100000000 + unnest(range(visits)) AS visit FROM sites),
    visited AS (SELECT *, floor(pow(${some(1)}, 1.3) * (visits / 2 + 1))::bigint + place * 100000000 AS visitor FROM numbered)
    SELECT place, visit, visitor,
      ${firstMs} + floor(${some(2)} * ${days})::bigint * 86400000
        + floor(((${some(3)} + ${some(4)} + ${some(5)}) / 3 * 1.5 - 0.25 + 1) * 86400000)::bigint % 86400000 AS start_ms,
      least(25, 1 + floor(-ln(1 - ${some(6)} * 0.9999) * 2.5))::int AS length,
      2000 + floor(-ln(1 - ${some(7)} * 0.9999) * 35000)::bigint AS gap_ms,
      CASE WHEN ${some(8)} < 0.04 THEN 1 + floor(${some(9)} * 6)::int ELSE 1000 END AS break_at,
      ${chance("visitor", 10)} >= 0.08 AS has_session_id,
      ${some(11)} < 0.01 AS is_nameless,
      place IN (${measured.join(", ")}) OR visit % 10 = 0 AS is_first
    FROM visited`;
}

const countries = ["US", "DE", "GB", "FR", "IN", "BR", "CA", "ES", "IT", "NL", "JP", "PL", "SE", "AT", "CH", "AU"];
const sources = [
  "google.com",
  "bing.com",
  "news.ycombinator.com",
  "github.com",
  "t.co",
  "duckduckgo.com",
  "reddit.com",
];
const screens = ["1920x1080", "390x844", "1440x900", "2560x1440", "412x915", "1366x768", "360x800"];

const websiteIdSql = `'00000000-0000-4000-8000-' || lpad(place::varchar, 12, '0')`;
const visitorKeySql = "CASE WHEN is_nameless THEN null ELSE (hash(visitor, 20) % 4503599627370496)::bigint END";
const sessionKeySql = `CASE WHEN is_nameless THEN null WHEN has_session_id THEN (hash(visit, 21) % 4503599627370496)::bigint
  ELSE (hash(visitor, 22) % 4503599627370496)::bigint END`;
const anonymousIdSql = "CASE WHEN is_nameless THEN null ELSE 'anon_' || md5(visitor::varchar)[1:20] END";
const sessionIdSql =
  "CASE WHEN is_nameless OR NOT has_session_id THEN null ELSE 'sess_' || md5(visit::varchar)[1:20] END";
const eventKeySql = "(hash(visit * 32 + step, 40) % 4503599627370496)::bigint";
/** As on receipt: each page view has a visitor, even without an id. */
const ofViewerSql = (key: string) =>
  `CASE WHEN is_nameless AND event_type = 'page_view' THEN ${eventKeySql} ELSE ${key} END`;
const pathSql = `CASE WHEN page < 12 THEN '/' ELSE '/docs/section-' || page // 40 || '/article-' || page END`;

/** Each event of the visits: the first is a page view, some come after a pause that ends a session. */
const steppedSql = `
  SELECT *, ${chance("visit * 32 + step", 30)} AS kind, floor(pow(${chance("visit * 32 + step", 31)}, 2.5) * 600)::bigint AS page,
    start_ms + step * gap_ms + (hash(visit, step) % 1000)::bigint + CASE WHEN step >= break_at THEN 1800000 + gap_ms * 60 ELSE 0 END AS ms
  FROM (SELECT *, unnest(range(length)) AS step FROM visits)`;

const eventsSql = `
  SELECT is_first, make_timestamp((ms * 1000)::bigint) AS ts, ${websiteIdSql} AS website_id,
    ${eventKeySql} AS event_key, event_type,
    CASE event_type WHEN 'page_view' THEN 'screen_view' WHEN 'page_exit' THEN 'page_exit'
      ELSE ${oneOf(["sign_up", "download", "add_to_cart", "checkout", "search", "play", "share", "subscribe"], "pow(kind * 6.66, 2)")} END AS name,
    ${ofViewerSql(visitorKeySql)} AS visitor_key, ${ofViewerSql(sessionKeySql)} AS session_key, uuid_of AS event_id,
    ${anonymousIdSql} AS anonymous_id, ${sessionIdSql} AS session_id,
    ${pathSql} AS path, CASE WHEN event_type = 'custom' THEN null ELSE 'Article ' || page || ' of the manual' END AS title,
    CASE WHEN step > 0 OR source IS NULL THEN null ELSE 'https://' || source || '/' END AS referrer,
    CASE WHEN step > 0 THEN null ELSE source END AS referrer_source,
    CASE WHEN step > 0 THEN null WHEN source IS NULL THEN 'direct' WHEN source LIKE '%o%' THEN 'search' ELSE 'social' END AS referrer_group,
    ${oneOf(screens, some(50))} AS screen, ${oneOf(screens, some(51))} AS viewport,
    ${oneOf(["en-US", "de-DE", "fr-FR", "es-ES", "pt-BR"], some(52))} AS language,
    ${oneOf(["America/New_York", "Europe/Berlin", "Asia/Kolkata", "America/Sao_Paulo"], some(53))} AS timezone,
    country, country || '-' || floor(${some(55)} * 6)::int AS region,
    ${oneOf(["Chrome", "Safari", "Firefox", "Edge", "Samsung Internet", "Opera"], `pow(${some(56)}, 2)`)} AS browser,
    ${oneOf(["Windows", "iOS", "Android", "macOS", "Linux"], some(57))} AS os,
    ${oneOf(["desktop", "mobile", "tablet"], `pow(${some(58)}, 1.5)`)} AS device,
    CASE WHEN ${some(59)} < 0.1 THEN ${oneOf(["newsletter", "ads", "partner"], some(60))} END AS utm_source,
    CASE WHEN event_type = 'page_exit' THEN floor(gap_ms * 0.8)::double END AS time_on_page_ms,
    CASE WHEN event_type = 'custom' THEN '{"plan":"pro","step":' || step || '}' END AS properties
  FROM (
    SELECT *, CASE WHEN step = 0 OR kind >= 0.4 THEN 'page_view' WHEN kind >= 0.15 THEN 'page_exit' ELSE 'custom' END AS event_type,
      CASE WHEN ${some(61)} < 0.45 THEN null ELSE ${oneOf(sources, `pow(${some(62)}, 1.5)`)} END AS source,
      ${oneOf(countries, `pow(${some(54)}, 2)`)} AS country,
      md5((visit * 32 + step)::varchar)::uuid::varchar AS uuid_of
    FROM (${steppedSql}))`;

const linksSql = `
  SELECT is_first, make_timestamp(((ms + 700) * 1000)::bigint) AS ts, ${websiteIdSql} AS website_id,
    (hash(visit * 32 + step, 41) % 4503599627370496)::bigint AS event_key,
    ${visitorKeySql} AS visitor_key, ${sessionKeySql} AS session_key,
    ${anonymousIdSql} AS anonymous_id, ${sessionIdSql} AS session_id, ${pathSql} AS path,
    'https://out.example/' || page % 30 AS href, 'Read more' AS text
  FROM (${steppedSql}) WHERE kind >= 0.97`;
