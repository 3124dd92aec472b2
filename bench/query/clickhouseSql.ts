import { websiteIdOf } from "./events.ts";

/** What is queried: a website by its index, and days from `from` to before `until` as YYYY-MM-DD in UTC. */
export type Target = { readonly place: number; readonly from: string; readonly until: string };

const inactivity = "INTERVAL 30 MINUTE";
const pageView = "event_type = 'page_view'";

/** The queried rows of a table. */
function scope({ place, from, until }: Target): string {
  return `website_id = '${websiteIdOf(place)}' AND ts >= '${from} 00:00:00' AND ts < '${until} 00:00:00'`;
}

/** All activities of sessions, with the columns of events named in `more`, which clicks on links lack. */
function activities(target: Target, more: readonly (readonly [name: string, none: string])[]): string {
  const names = more.map(([name]) => `, ${name}`).join("");
  const nones = more.map(([name, none]) => `, ${none} AS ${name}`).join("");
  return (
    `SELECT session_key, ts, visitor_key, event_type::String AS event_type${names} FROM events WHERE ${scope(target)} AND session_key != 0 UNION ALL ` +
    `SELECT session_key, ts, visitor_key, 'link' AS event_type${nones} FROM outgoing_links WHERE ${scope(target)} AND session_key != 0`
  );
}

/** Session keys whose activities may be several sessions: their first and last are 30 minutes apart or more. */
function longKeys(target: Target): string {
  return (
    `SELECT session_key FROM (SELECT session_key, ts FROM events WHERE ${scope(target)} AND session_key != 0 UNION ALL ` +
    `SELECT session_key, ts FROM outgoing_links WHERE ${scope(target)} AND session_key != 0) ` +
    `GROUP BY session_key HAVING max(ts) >= min(ts) + ${inactivity}`
  );
}

/** Rows of activities with `began`, the start of the session they belong to. A chain of rows leaves each UTC day that it filled. */
function withSessions(rows: string): string {
  const window = "PARTITION BY session_key ORDER BY ts";
  return (
    "SELECT *, if(toDate(ts) - toDate(chain) < 2, chain, toStartOfDay(ts)::DateTime64(6, 'UTC')) AS began FROM " +
    `(SELECT *, max(starts) OVER (${window} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS chain FROM ` +
    `(SELECT *, if(ts < lagInFrame(ts, 1, toDateTime64(0, 6, 'UTC')) OVER (${window} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) + ${inactivity}, toDateTime64(0, 6, 'UTC'), ts) AS starts FROM (${rows})))`
  );
}

/** Sessions: those of most keys by plain grouping, those of the others by windows, which is how ClickHouse does it fastest. */
function sessions(target: Target, only = "true"): string {
  const columns =
    "session_key, min(ts) AS started, max(ts) AS ended, maxIf(time_on_page_ms, time_on_page_ms < 1800000) AS longest_ms, any(visitor_key) AS visitor, " +
    `countIf(${pageView}) AS views, countIf(event_type = 'custom') AS actions, countIf(event_type = 'link') AS clicks, ` +
    `argMinIf(path, ts, path != '') AS entry`;
  const rows = activities(target, [
    ["time_on_page_ms", "0"],
    ["path", "''"],
  ]);
  const made =
    only === "true"
      ? `SELECT ${columns} FROM (${rows}) GROUP BY session_key HAVING max(ts) < min(ts) + ${inactivity} UNION ALL ` +
        `SELECT ${columns} FROM (${withSessions(`SELECT * FROM (${rows}) WHERE session_key IN (${longKeys(target)})`)}) GROUP BY session_key, began`
      : `SELECT ${columns} FROM (SELECT * FROM (${rows}) WHERE session_key NOT IN (${longKeys(target)})) WHERE ${only} GROUP BY session_key UNION ALL ` +
        `SELECT ${columns} FROM (${withSessions(`SELECT * FROM (${rows}) WHERE session_key IN (${longKeys(target)})`)}) WHERE ${only} GROUP BY session_key, began`;
  return (
    "SELECT *, views = 1 AND actions = 0 AND clicks = 0 AND seconds < 10 AS bounced FROM " +
    "(SELECT *, greatest((toUnixTimestamp64Micro(ended) - toUnixTimestamp64Micro(started)) / 1e6, longest_ms / 1e3) AS seconds " +
    `FROM (${made}) WHERE views + actions + clicks > 0)`
  );
}

const sessionFigures =
  "count() AS sessions, avg(bounced) * 100 AS bounce_rate, avg(seconds) AS average, quantileExactLow(0.5)(seconds) AS middle, avg(views) AS views_each";
const eventFigures = `countIf(${pageView}) AS pageviews, uniqExactIf(visitor_key, visitor_key != 0) AS visitors, countIf(${pageView} OR event_type = 'custom') AS total`;

function summary(target: Target): string {
  return (
    "SELECT pageviews, visitors, sessions, bounce_rate, average, middle, views_each, total FROM " +
    `(SELECT ${eventFigures} FROM events WHERE ${scope(target)}) AS e CROSS JOIN (SELECT ${sessionFigures} FROM (${sessions(target)})) AS s`
  );
}

function byDate(target: Target): string {
  return (
    "SELECT day, total, pageviews, visitors, sessions, bounce_rate, average, middle, views_each FROM " +
    `(SELECT toDate(ts) AS day, ${eventFigures} FROM events WHERE ${scope(target)} GROUP BY day) AS e LEFT JOIN ` +
    `(SELECT toDate(started) AS day, ${sessionFigures} FROM (${sessions(target)}) GROUP BY day) AS s USING (day) ORDER BY day`
  );
}

function visitors(target: Target): string {
  return `SELECT toDate(ts) AS day, uniqExactIf(visitor_key, visitor_key != 0) FROM events WHERE ${scope(target)} GROUP BY day ORDER BY day`;
}

/** Adds the share of the first figure and cuts to the first 100. */
function page(grouped: string, figures: string): string {
  return `SELECT label, ${figures}, 100 * m0 / sum(m0) OVER () FROM (${grouped}) ORDER BY m0 DESC, m1 DESC, m2 DESC, label LIMIT 100`;
}

function topPages(target: Target): string {
  return page(
    `SELECT if(path = '', 'Unknown', path) AS label, count() AS m0, uniqExactIf(visitor_key, visitor_key != 0) AS m1, 0 AS m2 FROM events WHERE ${scope(target)} AND ${pageView} GROUP BY label`,
    "m0, m1",
  );
}

/** A table of events by a column. Keys that may be several sessions are counted separately, for the further sessions of each label. */
function byColumn(column: string, label: string, figures: string, condition: string): (target: Target) => string {
  return (target) => {
    const rows = activities(target, [[column, "''"], ...(column === "name" ? [] : ([["name", "''"]] as const))]);
    const further =
      `SELECT ${label} AS label, uniqExact(session_key, began) - uniqExact(session_key) AS further ` +
      `FROM (${withSessions(`SELECT * FROM (${rows}) WHERE session_key IN (${longKeys(target)})`)}) ` +
      `WHERE event_type NOT IN ('page_exit', 'link') AND ${condition} GROUP BY label`;
    const plain =
      `SELECT ${label} AS label, ${figures}, uniqExactIf(visitor_key, visitor_key != 0) AS m1, ` +
      `uniqExactIf(session_key, event_type != 'page_exit' AND session_key != 0) AS sessions ` +
      `FROM events WHERE ${scope(target)} AND ${condition} GROUP BY label`;
    return `SELECT *, sessions + further AS m2 FROM (${plain}) AS p LEFT JOIN (${further}) AS f USING (label)`;
  };
}

function audience(column: string, whenEmpty: string): (target: Target) => string {
  const grouped = byColumn(
    column,
    `if(${column} = '', '${whenEmpty}', ${column})`,
    `countIf(${pageView}) AS m0`,
    `(${pageView} OR ${column} != '')`,
  );
  return (target) => page(grouped(target), "m0, m1, m2");
}

function customEvents(target: Target): string {
  const grouped = byColumn("name", "name", "count() AS m0, min(ts) AS f, max(ts) AS l", "event_type = 'custom'");
  return page(grouped(target), "m0, m1, m2, f, l");
}

function entryPages(target: Target): string {
  return page(
    `SELECT if(entry = '', 'Unknown', entry) AS label, count() AS m0, uniqExactIf(visitor, visitor != 0) AS m1, 0 AS m2 FROM (${sessions(target, pageView)}) GROUP BY label`,
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
