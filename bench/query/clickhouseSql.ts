import { websiteIdOf } from "./events.ts";

/** What is queried: a website by its index, and days from `from` to before `until` as YYYY-MM-DD in UTC. */
export type Target = { readonly place: number; readonly from: string; readonly until: string };

const inactivity = "INTERVAL 30 MINUTE";
export const pageView = "event_type = 'page_view'";

/** Rows of a website from one time to before another, both as YYYY-MM-DD hh:mm:ss, moved by whole days. */
function between(place: number, from: string, until: string): string {
  return `website_id = '${websiteIdOf(place)}' AND ts >= ${from} AND ts < ${until}`;
}

const midnight = (day: string) => `toDateTime64('${day} 00:00:00', 6, 'UTC')`;

/** The queried rows of a table, by their own time. */
function scope({ place, from, until }: Target): string {
  return between(place, midnight(from), midnight(until));
}

/** Visits of the generated rows last hours at most, so a day on each side has all rows of those that begin in the range. */
export function wide({ place, from, until }: Target): string {
  return between(place, `${midnight(from)} - INTERVAL 1 DAY`, `${midnight(until)} + INTERVAL 1 DAY`);
}

/** The rows around one edge of the range. */
function around({ place }: Target, day: string): string {
  return between(place, `${midnight(day)} - INTERVAL 1 DAY`, `${midnight(day)} + INTERVAL 1 DAY`);
}

/** All activities of visits, with the columns of events named in `more`, which clicks on links lack. */
function activities(rows: string, more: readonly (readonly [name: string, none: string])[]): string {
  const names = more.map(([name]) => `, ${name}`).join("");
  const nones = more.map(([name, none]) => `, ${none} AS ${name}`).join("");
  return (
    `SELECT session_key, ts, visitor_key, event_type::String AS event_type${names} FROM events WHERE ${rows} AND session_key != 0 UNION ALL ` +
    `SELECT session_key, ts, visitor_key, 'link' AS event_type${nones} FROM outgoing_links WHERE ${rows} AND session_key != 0`
  );
}

/** Session keys whose activities may be several visits: their first and last are 30 minutes apart or more. */
function longKeys(rows: string): string {
  return `SELECT session_key FROM (${activities(rows, [])}) GROUP BY session_key HAVING max(ts) >= min(ts) + ${inactivity}`;
}

/** Rows of activities with `began`, the start of the visit they belong to. A chain of rows leaves each UTC day that it filled. */
function withVisits(rows: string): string {
  const window = "PARTITION BY session_key ORDER BY ts";
  return (
    "SELECT *, if(toDate(ts) - toDate(chain) < 2, chain, toStartOfDay(ts)::DateTime64(6, 'UTC')) AS began FROM " +
    `(SELECT *, max(starts) OVER (${window} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS chain FROM ` +
    `(SELECT *, if(ts < lagInFrame(ts, 1, toDateTime64(0, 6, 'UTC')) OVER (${window} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) + ${inactivity}, toDateTime64(0, 6, 'UTC'), ts) AS starts FROM (${rows})))`
  );
}

/** Visits of these rows: those of most keys by plain grouping, those of the others by windows, which is how ClickHouse does it fastest. */
function visitsOf(rows: string, ...columns: readonly string[]): string {
  const values = columns.map((column, index) => `, argMinIf(${column}, ts, ${column} != '') AS value${index}`).join("");
  const figures =
    "session_key, min(ts) AS started, max(ts) AS ended, maxIf(time_on_page_ms, time_on_page_ms < 1800000) AS longest_ms, max(visitor_key) AS visitor, " +
    `countIf(${pageView}) AS views, countIf(event_type = 'custom') AS actions, countIf(event_type = 'link') AS clicks, ` +
    `argMinIf(path, ts, ${pageView} AND path != '') AS entry${values}`;
  const all = activities(rows, [
    ["time_on_page_ms", "0"],
    ["path", "''"],
    ...columns.map((column) => [column, "''"] as const),
  ]);
  return (
    `SELECT *, views = 1 AND actions = 0 AND clicks = 0 AND seconds < 10 AS bounced FROM ` +
    "(SELECT *, greatest((toUnixTimestamp64Micro(ended) - toUnixTimestamp64Micro(started)) / 1e6, longest_ms / 1e3) AS seconds FROM " +
    `(SELECT ${figures} FROM (${all}) GROUP BY session_key HAVING max(ts) < min(ts) + ${inactivity} UNION ALL ` +
    `SELECT ${figures} FROM (${withVisits(`SELECT * FROM (${all}) WHERE session_key IN (${longKeys(rows)})`)}) GROUP BY session_key, began) ` +
    "WHERE views + actions + clicks > 0)"
  );
}

/** The visits that begin in the range, whole, with the first value that each of these columns has in them (`value0` and so on). */
export function visits(target: Target, ...columns: readonly string[]): string {
  const { from, until } = target;
  return `SELECT * FROM (${visitsOf(wide(target), ...columns)}) WHERE started >= ${midnight(from)} AND started < ${midnight(until)}`;
}

/** Events of no visit count at their own time. */
export function lone(target: Target): string {
  return `events WHERE ${scope(target)} AND session_key = 0 AND event_type IN ('page_view', 'custom')`;
}

export const visitFigures =
  "sum(views) AS pageviews, uniqExactIf(visitor, visitor != 0) AS visitors, count() AS sessions, avg(bounced) * 100 AS bounce_rate, " +
  "avg(seconds) AS average, quantileExactLow(0.5)(seconds) AS middle, avg(views) AS views_each, sum(views + actions) AS total";

function summary(target: Target): string {
  return (
    "SELECT pageviews + l.views, visitors, sessions, bounce_rate, average, middle, views_each, total + l.events FROM " +
    `(SELECT ${visitFigures} FROM (${visits(target)})) AS v CROSS JOIN ` +
    `(SELECT countIf(${pageView}) AS views, count() AS events FROM ${lone(target)}) AS l`
  );
}

function byDate(target: Target): string {
  return (
    "SELECT day, total + l.events, pageviews + l.views, visitors, sessions, bounce_rate, average, middle, views_each FROM " +
    `(SELECT toDate(started) AS day, ${visitFigures} FROM (${visits(target)}) GROUP BY day) AS v LEFT JOIN ` +
    `(SELECT toDate(ts) AS day, countIf(${pageView}) AS views, count() AS events FROM ${lone(target)} GROUP BY day) AS l USING (day) ORDER BY day`
  );
}

function visitors(target: Target): string {
  return `SELECT toDate(started) AS day, uniqExactIf(visitor, visitor != 0) FROM (${visits(target)}) GROUP BY day ORDER BY day`;
}

/** Adds the share of the first figure and cuts to the first 100. */
export function page(grouped: string, figures: string): string {
  return `SELECT label, ${figures}, 100 * m0 / sum(m0) OVER () FROM (${grouped}) ORDER BY m0 DESC, m1 DESC, m2 DESC, label LIMIT 100`;
}

/** Only the visits that an edge of the range cuts are found, which is how ClickHouse does it fastest. */
function topPages(target: Target): string {
  const { place, from, until } = target;
  const cut = (day: string) =>
    `SELECT session_key, ended FROM (${visitsOf(around(target, day))}) WHERE started < ${midnight(day)} AND ended >= ${midnight(day)}`;
  const after = between(place, midnight(until), `${midnight(until)} + INTERVAL 1 DAY`);
  const views =
    `SELECT path, visitor_key FROM events WHERE ${scope(target)} AND ${pageView} AND session_key NOT IN (SELECT session_key FROM (${cut(from)})) UNION ALL ` +
    `SELECT e.path, e.visitor_key FROM (SELECT * FROM events WHERE ${scope(target)} AND ${pageView}) AS e JOIN (${cut(from)}) AS c USING (session_key) WHERE e.ts > c.ended UNION ALL ` +
    `SELECT e.path, e.visitor_key FROM (SELECT * FROM events WHERE ${after} AND ${pageView}) AS e JOIN (${cut(until)}) AS c USING (session_key) WHERE e.ts <= c.ended`;
  return page(
    `SELECT if(path = '', 'Unknown', path) AS label, count() AS m0, uniqExactIf(visitor_key, visitor_key != 0) AS m1, 0 AS m2 FROM (${views}) GROUP BY label`,
    "m0, m1",
  );
}

/** Visits by a column; events of no visit are not page views here. */
function audience(column: string, whenEmpty: string): (target: Target) => string {
  return (target) =>
    page(
      `SELECT if(value0 = '', '${whenEmpty}', value0) AS label, sum(views) AS m0, uniqExactIf(visitor, visitor != 0) AS m1, count() AS m2 FROM (${visits(target, column)}) GROUP BY label`,
      "m0, m1, m2",
    );
}

/** Custom events with their visits. */
function customEvents(target: Target): string {
  const columns = "name, visitor_key, session_key, ts";
  const ofVisits =
    `SELECT e.name AS name, e.visitor_key AS visitor_key, e.session_key AS session_key, v.started AS started, e.ts AS ts FROM ` +
    `(SELECT ${columns} FROM events WHERE ${wide(target)} AND event_type = 'custom' AND session_key != 0) AS e ` +
    `JOIN (${visits(target)}) AS v USING (session_key) WHERE e.ts >= v.started AND e.ts <= v.ended`;
  const others = `SELECT name, visitor_key, session_key, ts AS started, ts FROM ${lone(target)} AND event_type = 'custom'`;
  return page(
    `SELECT name AS label, count() AS m0, uniqExactIf(visitor_key, visitor_key != 0) AS m1, uniqExactIf((session_key, started), session_key != 0) AS m2, min(ts) AS f, max(ts) AS l ` +
      `FROM (${ofVisits} UNION ALL ${others}) GROUP BY label`,
    "m0, m1, m2, f, l",
  );
}

function entryPages(target: Target): string {
  return page(
    `SELECT if(entry = '', 'Unknown', entry) AS label, count() AS m0, uniqExactIf(visitor, visitor != 0) AS m1, 0 AS m2 FROM (${visits(target)}) WHERE views > 0 GROUP BY label`,
    "m0, m1",
  );
}

/** The query of each type, in the form that was fastest of those tried. */
export const clickhouseQueries = {
  summary_metrics: summary,
  events_by_date: byDate,
  visitors,
  top_pages: topPages,
  top_referrers: audience("referrer_source", "Direct"),
  countries: audience("country", "Unknown"),
  browsers: audience("browser", "Unknown"),
  device_types: audience("device", "Unknown"),
  entry_pages: entryPages,
  events: customEvents,
} as const satisfies Record<string, (target: Target) => string>;
