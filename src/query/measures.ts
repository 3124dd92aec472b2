/**
 * What is counted, each once, by the definitions that every answer shares:
 *
 * - page view: an event of the type page_view;
 * - visitor: a distinct visitor key, whatever the visitor did;
 * - session: as src/aggregation/sessions.ts defines it, of the events within the range asked for; it belongs to the bucket of its first
 *   event, and to the group of the first of its events that has one (exit pages: the last);
 * - session where events are counted: a session with an event in the group that is more than the end of a page view;
 * - bounce: a session with exactly one page view, shorter than 10 s, without a custom event and without an outgoing link;
 * - bounce rate: bounces among sessions, percent from 0 to 100;
 * - events in total: page views and custom events. The end of a page view (page_exit) only lengthens its session.
 *
 * A filter chooses events. A session is taken when one of its events is chosen, and is then judged by all of its events.
 */

/** Kinds of events that can be counted alone. */
export const eventKinds = {
  page_view: "event_type = 'page_view'",
  custom: "event_type = 'custom'",
} as const;

export type EventKind = keyof typeof eventKinds;

/** What a measure is taken over: rows of a table, or sessions made from the rows of events. */
export type Relation = "events" | "sessions" | "outgoing_links" | "performance_metrics" | "script_errors";

export type Measure = {
  readonly relation: Relation;
  /** An aggregate over the columns of the relation. */
  readonly sql: string;
  readonly label: string;
  readonly unit?: string;
  /** count: 0 without rows; decimal: rounded to 2 places, 0 without rows; time: ISO 8601 in UTC. */
  readonly format: "count" | "decimal" | "time";
};

/** A session shorter than this, with nothing but one page view, is a bounce. */
const bounceSeconds = 10;

/** When a session of the relation `sessions` is a bounce. */
export const bounceSql = `page_views = 1 AND actions = 0 AND clicks = 0 AND seconds < ${bounceSeconds}`;

export const measures = {
  pageviews: count("events", "Page views", countWhere(eventKinds.page_view)),
  visitors: count("events", "Visitors", "count_distinct(visitor_key)"),
  active_sessions: count(
    "events",
    "Sessions",
    "count_distinct(CASE WHEN event_type != 'page_exit' THEN session ELSE null END)",
  ),
  total_events: count("events", "Events", countWhere(`${eventKinds.page_view} OR ${eventKinds.custom}`)),
  custom_events: count("events", "Custom events", countWhere(eventKinds.custom)),
  event_names: count("events", "Event names", "count_distinct(name)"),
  paths: count("events", "Pages", "count_distinct(path)"),
  first_seen: time("events", "First seen", "min(ts)"),
  last_seen: time("events", "Last seen", "max(ts)"),

  sessions: count("sessions", "Sessions", "count()"),
  session_visitors: count("sessions", "Visitors", "count_distinct(visitor_key)"),
  session_events: count("sessions", "Events", "sum(page_views + actions)"),
  bounce_rate: decimal("sessions", "Bounce rate", "percent", "avg(CASE WHEN bounced THEN 100.0 ELSE 0.0 END)"),
  avg_session_duration: decimal("sessions", "Average session duration", "s", "avg(seconds)"),
  // QuestDB has no exact median; three digits keep the error under 0.1 %.
  median_session_duration: decimal("sessions", "Median session duration", "s", "approx_percentile(seconds, 0.5, 3)"),
  pages_per_session: decimal("sessions", "Page views per session", undefined, "avg(page_views)"),

  clicks: count("outgoing_links", "Clicks", "count()"),
  click_visitors: count("outgoing_links", "Visitors", "count_distinct(visitor_key)"),
  click_sessions: count("outgoing_links", "Sessions", "count_distinct(session_key)"),
  click_targets: count("outgoing_links", "Links", "count_distinct(href)"),
  last_click: time("outgoing_links", "Last click", "max(ts)"),

  samples: count("performance_metrics", "Measurements", "count()"),
  sample_visitors: count("performance_metrics", "Visitors", "count_distinct(visitor_key)"),
  avg_value: decimal("performance_metrics", "Average", undefined, "avg(value)"),
  p50: percentile("Median", 0.5),
  p75: percentile("75th percentile", 0.75),
  p90: percentile("90th percentile", 0.9),
  p95: percentile("95th percentile", 0.95),
  p99: percentile("99th percentile", 0.99),

  errors: count("script_errors", "Errors", "count()"),
  error_visitors: count("script_errors", "Visitors", "count_distinct(visitor_key)"),
  error_sessions: count("script_errors", "Sessions", "count_distinct(session_key)"),
  last_error: time("script_errors", "Last error", "max(ts)"),
} as const satisfies Record<string, Measure>;

export type MeasureName = keyof typeof measures;

/** The measure of a name. */
export function measureOf(name: MeasureName): Measure {
  return measures[name];
}

function count(relation: Relation, label: string, sql: string): Measure {
  return { relation, label, sql, format: "count" };
}

function decimal(relation: Relation, label: string, unit: string | undefined, sql: string): Measure {
  return { relation, label, sql, format: "decimal", ...(unit === undefined ? {} : { unit }) };
}

/** Of what was measured; three digits as with the median above. */
function percentile(label: string, share: number): Measure {
  return decimal("performance_metrics", label, undefined, `approx_percentile(value, ${share}, 3)`);
}

function time(relation: Relation, label: string, sql: string): Measure {
  return { relation, label, sql, format: "time" };
}

/** How many rows meet a condition. */
export function countWhere(condition: string): string {
  return `sum(CASE WHEN ${condition} THEN 1 ELSE 0 END)`;
}
