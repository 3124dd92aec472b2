import { define, type Group, table } from "./define.ts";
import {
  dateField,
  figures,
  grouped,
  listed,
  measured,
  type QueryType,
  seriesLimit,
  share,
  shown,
} from "./queryType.ts";

const websites = { category: "summary", isPublic: false, table: "events" } as const satisfies Group;

/** Of a website by itself, in its own time zone. */
const ofEach = { ...websites, defaultLimit: seriesLimit } as const;

const websiteField = shown("website_id", "Website", "text");

/** The finished days whose visitors `websites_trend` shows. */
export const trendDays = 28;

/** Figures of each website that a query is about. */
export const websiteTypes: readonly QueryType[] = [
  table(
    websites,
    "websites",
    "Websites",
    "The main figures of each website that the query is about, most viewed first. A website without events has no row.",
    ["website_id"],
    [
      grouped("website_id", "Website"),
      grouped("name", "Website"),
      ...figures("pageviews", "visitors"),
      measured("active_sessions", "sessions"),
      measured("total_events"),
      share("pageviews"),
    ],
  ),
  define(
    websites,
    "websites_now",
    "Websites now",
    "Visitors of each website in the last 5 minutes, whatever range is sent. A website without any has no row.",
    { kind: "table", dimensions: ["website_id"] },
    [grouped("website_id", "Website"), measured("visitors", "active_users")],
    { period: { minutes: 5 } },
  ),
  define(
    ofEach,
    "websites_today",
    "Websites today",
    "Visitors and sessions of each website today until now, in its own time zone, beside what is usual: the median, fewest and most visitors of the same weekday of the last four weeks until this time of day. A row for each website, most visitors first; null is unknown.",
    { kind: "websites_today" },
    [
      websiteField,
      shown("visitors", "Visitors", "figure"),
      shown("sessions", "Sessions", "figure"),
      shown("usual_visitors", "Usual visitors until this time of day", "figure"),
      shown("usual_lowest", "Fewest of these days", "figure"),
      shown("usual_highest", "Most of these days", "figure"),
      shown("usual_days", "Days that the usual is the median of", "count"),
      shown("since", "Start of the first day with an event, in the website's time zone", "time"),
    ],
    { period: "soFar" },
  ),
  define(
    ofEach,
    "websites_trend",
    "Trend of websites",
    `Visitors of each of the last ${trendDays} finished days of each website, in its own time zone, oldest first. A row for each website; null is unknown.`,
    { kind: "websites_trend" },
    [websiteField, shown("first_day", "First day", "text"), listed("visitors_by_day", "Visitors of each day")],
    { period: { daysBefore: trendDays } },
  ),
  define(
    { ...ofEach, category: "uptime", table: "uptime_checks" },
    "websites_uptime",
    "Uptime of websites now",
    "The worst state of each website's monitors (down, degraded, unknown, maintenance, up, paused, or none without monitors), how many of them have it, and its open incidents: id, monitor_id, monitor_name, started_at. A row for each website, whatever range is sent.",
    { kind: "websites_uptime" },
    [
      websiteField,
      shown("state", "State", "text"),
      shown("in_state", "Monitors in this state", "count"),
      shown("monitors", "Monitors", "count"),
      listed("incidents", "Open incidents"),
    ],
    // Longer than two of the longest intervals.
    { period: { minutes: 3 * 24 * 60 }, ownFilters: ["website_id"] },
  ),
  define(
    websites,
    "websites_by_date",
    "Websites over time",
    "Page views and visitors of each website by day or hour. The 100 websites with the most page views.",
    { kind: "split_series", dimension: "website_id" },
    [dateField, grouped("website_id", "Website"), ...figures("pageviews", "visitors")],
    { defaultLimit: seriesLimit },
  ),
];
