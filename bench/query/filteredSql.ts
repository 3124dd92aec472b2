import { lone, page, pageView, type Target, visitFigures, visits, wide } from "./clickhouseSql.ts";

/** What the filtered questions choose: a campaign of 3 % of the visits, the page that most visits see, an event of 1 % of all. */
export const chosen = { source: "newsletter", path: "/", event: "checkout" } as const;

const ofCampaign = `utm_source = '${chosen.source}'`;

function campaignSummary(target: Target): string {
  return (
    "SELECT pageviews + l.views, visitors, sessions, bounce_rate, average, middle, views_each, total + l.events FROM " +
    `(SELECT ${visitFigures} FROM (${visits(target, "utm_source")}) WHERE value0 = '${chosen.source}') AS v CROSS JOIN ` +
    `(SELECT countIf(${pageView}) AS views, count() AS events FROM ${lone(target)} AND ${ofCampaign}) AS l`
  );
}

function campaignCountries(target: Target): string {
  return page(
    "SELECT if(value0 = '', 'Unknown', value0) AS label, sum(views) AS m0, uniqExactIf(visitor, visitor != 0) AS m1, count() AS m2 FROM " +
      `(${visits(target, "country", "utm_source")}) WHERE value1 = '${chosen.source}' GROUP BY label`,
    "m0, m1, m2",
  );
}

/** Events of visits with the start of their visit. */
function eventsOf(target: Target, condition: string, ofVisits: string, columns: string): string {
  return (
    `SELECT ${columns} FROM (SELECT session_key, ts, path, visitor_key, event_type FROM events WHERE ${wide(target)} AND session_key != 0 AND ${condition}) AS e ` +
    `JOIN (${ofVisits}) AS v USING (session_key) WHERE e.ts >= v.started AND e.ts <= v.ended`
  );
}

function campaignPages(target: Target): string {
  const ofVisits = `SELECT * FROM (${visits(target, "utm_source")}) WHERE value0 = '${chosen.source}'`;
  const views = eventsOf(target, pageView, ofVisits, "e.path AS path, e.visitor_key AS visitor_key");
  return page(
    `SELECT if(path = '', 'Unknown', path) AS label, count() AS m0, uniqExactIf(visitor_key, visitor_key != 0) AS m1, 0 AS m2 FROM (${views}) GROUP BY label`,
    "m0, m1",
  );
}

/** Page views and events are those of the page, all other figures those of the whole visits. */
function pageSummary(target: Target): string {
  const onPage = `path = '${chosen.path}'`;
  const selected = eventsOf(
    target,
    `${onPage} AND event_type != 'page_exit'`,
    visits(target),
    "session_key, v.started AS started, v.visitor AS visitor, v.bounced AS bounced, v.seconds AS seconds, e.event_type AS event_type",
  );
  return (
    "SELECT own + l.views, visitors, sessions, bounce_rate, average, middle, NULL, events + l.events FROM " +
    "(SELECT sum(own_views) AS own, uniqExactIf(visitor, visitor != 0) AS visitors, count() AS sessions, avg(bounced) * 100 AS bounce_rate, " +
    "avg(seconds) AS average, quantileExactLow(0.5)(seconds) AS middle, sum(own_events) AS events FROM " +
    `(SELECT session_key, started, any(visitor) AS visitor, any(bounced) AS bounced, any(seconds) AS seconds, countIf(${pageView}) AS own_views, count() AS own_events ` +
    `FROM (${selected}) GROUP BY session_key, started)) AS v CROSS JOIN ` +
    `(SELECT countIf(${pageView}) AS views, count() AS events FROM ${lone(target)} AND ${onPage}) AS l`
  );
}

function goalBySource(target: Target): string {
  const withSource = visits(target, "referrer_source");
  const reached = eventsOf(
    target,
    `event_type = 'custom' AND name = '${chosen.event}'`,
    withSource,
    "value0, v.visitor AS visitor",
  );
  const alone = `SELECT referrer_source AS value0, 0 AS visitor FROM ${lone(target)} AND event_type = 'custom' AND name = '${chosen.event}'`;
  return (
    "SELECT if(value0 = '', 'Direct', value0) AS label, visitors, converted, completions, 100 * converted / visitors FROM " +
    `(SELECT value0, uniqExactIf(visitor, visitor != 0) AS visitors FROM (${withSource}) GROUP BY value0) AS a LEFT JOIN ` +
    `(SELECT value0, uniqExactIf(visitor, visitor != 0) AS converted, count() AS completions FROM (${reached} UNION ALL ${alone}) GROUP BY value0) AS r USING (value0) ` +
    "ORDER BY converted DESC, completions DESC, visitors DESC, label LIMIT 10"
  );
}

/** The query of each filtered question. */
export const filteredQueries = {
  "summary_metrics of a campaign": campaignSummary,
  "top_pages of a campaign": campaignPages,
  "countries of a campaign": campaignCountries,
  "summary_metrics of a page": pageSummary,
  "goal by source": goalBySource,
} as const satisfies Record<string, (target: Target) => string>;

export type FilteredQuery = keyof typeof filteredQueries;
