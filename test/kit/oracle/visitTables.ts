/**
 * Visits and what belongs to them, as docs/user/queries.md defines them, of all events and outgoing links of a data set: a query chooses
 * among whole visits, so its range does not matter here.
 *
 * - `visits`: a row for each visit with its figures, its begin and its fields (`v_…`).
 * - `placed_script_errors`, `placed_performance_metrics`: each with the fields of the visit of its session that it happened in, or less than 30
 *   minutes after on the same UTC day; without a `visit` otherwise.
 * - `placed_events`, `placed_links`: each event and link with the begin and the fields of its visit. One without a visitor stands for itself:
 *   it has no `visit`, began at its own time, and its fields are its own.
 */

/** Columns of events of which a visit has the value of its first event that has one. */
const eventColumns = [
  "referrer",
  "referrer_source",
  "country",
  "region",
  "city",
  "language",
  "timezone",
  "browser",
  "browser_version",
  "os",
  "os_version",
  "device",
  "connection",
  "screen",
  "viewport",
  "utm_source",
  "utm_medium",
  "utm_campaign",
  "utm_term",
  "utm_content",
] as const;

/** Ids, which outgoing links have too. */
const idColumns = ["session_id", "anonymous_id"] as const;

/** The name of a visit's field in the tables below. */
export const visitColumn = (name: string): string => `v_${name}`;

const inOrder = "ts, is_link, event_key";
const hasText = (sql: string): string => `coalesce(${sql}, '') <> ''`;
const end = (which: "first" | "last", column: string, condition: string): string =>
  `${which}(${column} ORDER BY ${inOrder}) FILTER (${condition})`;

/** The fields of a visit as aggregates of its activities. */
const fieldsOfVisit: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [...eventColumns, ...idColumns].map((column) => [column, end("first", column, hasText(column))]),
  ),
  // A step within the website and a direct arrival tell nothing about where the visit came from.
  referrer_group: `coalesce(${end("first", "referrer_group", `${hasText("referrer_group")} AND referrer_group <> 'direct'`)}, 'direct')`,
  entry_page: end("first", "path", `event_type = 'page_view' AND ${hasText("path")}`),
  exit_page: end("last", "path", `event_type = 'page_view' AND ${hasText("path")}`),
};

/** The fields of an event that stands for itself. */
const fieldsOfLoneEvent: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...eventColumns, ...idColumns].map((column) => [column, column])),
  referrer_group: "coalesce(nullif(referrer_group, ''), 'direct')",
  entry_page: "CASE WHEN event_type = 'page_view' THEN path END",
  exit_page: "CASE WHEN event_type = 'page_view' THEN path END",
  visitor_type: "NULL",
};

/** A link tells nothing of its visitor but the ids. */
const fieldsOfLoneLink: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...Object.keys(fieldsOfVisit), "visitor_type"].map((name) => [name, "NULL"])),
  ...Object.fromEntries(idColumns.map((column) => [column, column])),
  referrer_group: "'direct'",
};

const named = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields)
    .map(([name, sql]) => `${sql} AS ${visitColumn(name)}`)
    .join(", ");

const ofVisits = ["started", ...[...Object.keys(fieldsOfVisit), "visitor_type"].map(visitColumn)]
  .map((column) => `visits.${column}`)
  .join(", ");

/**
 * One session key, and less than 30 minutes from one to the next. What lasts without a pause is one visit on its first two UTC days, and one
 * more on each further day, since it then filled the day before.
 */
const activities = `
  SELECT *, session_key || '/' || chain || '/' || greatest(day - min(day) OVER (PARTITION BY session_key, chain), 1) AS visit FROM (
    SELECT *, ts // 86400000 AS day,
      sum(begins) OVER (PARTITION BY session_key ORDER BY ${inOrder} ROWS UNBOUNDED PRECEDING) AS chain FROM (
      SELECT *, CASE WHEN ts - lag(ts) OVER (PARTITION BY session_key ORDER BY ${inOrder}) < 1800000 THEN 0 ELSE 1 END AS begins FROM (
        SELECT *, false AS is_link FROM events UNION ALL BY NAME
        SELECT *, 'link' AS event_type, true AS is_link FROM outgoing_links)))
  WHERE session_key IS NOT NULL`;

const visits = `
  SELECT *, CASE WHEN page_views = 1 AND actions = 0 AND clicks = 0 AND seconds < 10 THEN 1 ELSE 0 END AS bounced,
    CASE WHEN visitor_key IS NULL THEN NULL WHEN started = min(started) OVER (PARTITION BY visitor_key) THEN 'first' ELSE 'returning' END
      AS ${visitColumn("visitor_type")} FROM (
    SELECT visit, min(ts) AS started, max(visitor_key) AS visitor_key,
      count(*) FILTER (event_type = 'page_view') AS page_views, count(*) FILTER (event_type = 'custom') AS actions,
      count(*) FILTER (is_link) AS clicks,
      greatest(max(ts) - min(ts), coalesce(max(time_on_page_ms) FILTER (time_on_page_ms < 1800000), 0)) / 1000.0 AS seconds,
      ${named(fieldsOfVisit)}
    FROM activities GROUP BY visit)
  WHERE page_views + actions + clicks > 0`;

function placed(table: string, isLink: boolean, ownFields: Readonly<Record<string, string>>): string {
  return `
    SELECT activities.*, ${ofVisits} FROM activities JOIN visits USING (visit)
      WHERE ${isLink ? "" : "NOT "}is_link
    UNION ALL BY NAME
    SELECT *, ts AS started, ${named(ownFields)} FROM ${table} WHERE session_key IS NULL`;
}

/** An error or vital is within one visit at most. */
function within(table: string): string {
  return `
    SELECT ${table}.*, chosen.* EXCLUDE (session_key, began, last) FROM ${table} LEFT JOIN (
      SELECT session_key, began, last, visit, ${ofVisits} FROM visits JOIN (
        SELECT visit, any_value(session_key) AS session_key, min(ts) AS began, max(ts) AS last FROM activities GROUP BY visit) USING (visit)
    ) chosen ON chosen.session_key = ${table}.session_key AND ts >= began AND (ts <= last OR (ts - last < 1800000 AND ts // 86400000 = last // 86400000))`;
}

const sourceColumns = [
  ...[
    "referrer",
    "referrer_source",
    "referrer_group",
    "utm_source",
    "utm_medium",
    "utm_campaign",
    "utm_term",
    "utm_content",
  ],
];

/** The name of a field of the visit whose source counts. */
export const attributedColumn = (name: string): string => `${sourceColumns.includes(name) ? "a" : "v"}_${name}`;

const hasSource = sourceColumns
  .filter((name) => name !== "referrer")
  .map((name) => `coalesce(t.${visitColumn(name)}, '') NOT IN ('', 'direct')`)
  .join(" OR ");

/** `attributed_visits`: visits with the fields (`a_…`) of the visitor's latest visit of the last 30 days that has a source. */
export const attributedTable = `
  CREATE TABLE attributed_visits AS SELECT visits.*,
    ${sourceColumns.map((name) => `CASE WHEN visits.visitor_key IS NULL THEN visits.v_${name} ELSE touched.v_${name} END AS a_${name}`).join(", ")}
  FROM visits LEFT JOIN LATERAL (SELECT * FROM visits t
    WHERE t.visitor_key = visits.visitor_key AND (${hasSource}) AND t.started <= visits.started AND t.started >= visits.started - 2592000000
    ORDER BY t.visit = visits.visit DESC, t.started DESC LIMIT 1) touched ON true`;

/** The statements that build the tables, in order. */
export const visitTables: readonly string[] = [
  `CREATE TABLE activities AS ${activities}`,
  `CREATE TABLE visits AS ${visits}`,
  `CREATE TABLE placed_events AS ${placed("events", false, fieldsOfLoneEvent)}`,
  `CREATE TABLE placed_links AS ${placed("outgoing_links", true, fieldsOfLoneLink)}`,
  `CREATE TABLE placed_script_errors AS ${within("script_errors")}`,
  `CREATE TABLE placed_performance_metrics AS ${within("performance_metrics")}`,
];
