import type { FieldName } from "../sql/fields.ts";
import { dateField, figures, grouped, measured, type OutputField, type QueryType, shown } from "./queryType.ts";

const now = "The last 5 minutes, whatever range is sent.";

const realtime = { category: "realtime", isPublic: true, table: "events", period: { minutes: 5 } } as const;

function visitorsBy(
  name: string,
  title: string,
  dimensions: readonly FieldName[],
  fields: readonly OutputField[],
  defaultLimit: number,
): QueryType {
  return {
    ...realtime,
    name,
    title,
    description: `${title} of the visitors who are here now, most visitors first. ${now}`,
    shape: { kind: "table", dimensions },
    fields: [...fields, measured("visitors")],
    defaultLimit,
  };
}

const halfHour = "The last 30 minutes by whole minutes, whatever range is sent.";

/** The same minutes as those of `realtime_velocity`, so that the figures of both agree. */
const recent = { ...realtime, period: { wholeMinutes: 30 } } as const;

function recentBy(name: string, title: string, dimension: FieldName, field: OutputField): QueryType {
  return {
    ...visitorsBy(name, title, [dimension], [field], 10),
    ...recent,
    description: `${title} of the visitors, most visitors first. ${halfHour}`,
  };
}

const recentTypes: readonly QueryType[] = [
  {
    ...recent,
    name: "realtime_recent_stats",
    title: "Last 30 minutes",
    description: `Visitors and sessions in one row. ${halfHour}`,
    shape: { kind: "summary" },
    fields: figures("visitors", "active_sessions"),
    defaultLimit: 1,
  },
  {
    ...recent,
    name: "realtime_recent_pages",
    title: "Pages of the last 30 minutes",
    description: `Page views and visitors of each path, most viewed first. ${halfHour}`,
    only: "page_view",
    shape: { kind: "table", dimensions: ["path"] },
    fields: [grouped("path", "Page"), ...figures("pageviews", "visitors")],
    defaultLimit: 10,
  },
  recentBy("realtime_recent_referrers", "Referrers", "referrer_source", grouped("referrer", "Referrer")),
  recentBy("realtime_recent_countries", "Countries", "country", grouped("name", "Country")),
  recentBy("realtime_recent_devices", "Devices", "device_type", grouped("name", "Device")),
  {
    ...recent,
    // Names of custom events may reveal details about a business.
    isPublic: false,
    name: "realtime_recent_events",
    title: "Events of the last 30 minutes",
    description: `Page views and custom events, newest first, without ids of visitors and sessions. ${halfHour}`,
    only: "visible",
    shape: { kind: "list" },
    fields: [
      shown("event_type", "Kind of event", "text"),
      shown("event_name", "Event", "text", { column: "name" }),
      shown("path", "Page", "text"),
      shown("country", "Country", "text"),
      shown("device_type", "Device", "text", { column: "device" }),
      shown("timestamp", "Time", "time", { column: "ts" }),
    ],
    defaultLimit: 30,
  },
];

/** What happens on a website now. */
export const realtimeTypes: readonly QueryType[] = [
  {
    ...realtime,
    name: "realtime_pages",
    title: "Pages now",
    description: `Page views and visitors of each path, most viewed first. ${now}`,
    only: "page_view",
    shape: { kind: "table", dimensions: ["path"] },
    fields: [grouped("path", "Page"), ...figures("pageviews", "visitors")],
    defaultLimit: 10,
  },
  visitorsBy("realtime_referrers", "Referrers", ["referrer_source"], [grouped("referrer", "Referrer")], 10),
  visitorsBy("realtime_countries", "Countries", ["country"], [grouped("name", "Country")], 50),
  visitorsBy(
    "realtime_cities",
    "Cities",
    ["city", "country"],
    [grouped("city", "City"), grouped("country", "Country", 1)],
    30,
  ),
  {
    ...realtime,
    // Names of custom events may reveal details about a business, ids about a person.
    isPublic: false,
    name: "realtime_feed",
    title: "Events now",
    description: `Page views and custom events, newest first. ${now}`,
    only: "visible",
    shape: { kind: "list" },
    fields: [
      shown("event_name", "Event", "text", { column: "name" }),
      shown("path", "Page", "text"),
      shown("country", "Country", "text"),
      shown("browser_name", "Browser", "text", { column: "browser" }),
      shown("timestamp", "Time", "time", { column: "ts" }),
    ],
    defaultLimit: 30,
  },
  {
    ...realtime,
    isPublic: false,
    name: "realtime_sessions",
    title: "Sessions now",
    description: `Sessions with the page they are on, last seen first. ${now}`,
    shape: { kind: "live_sessions" },
    fields: [
      shown("session_id", "Session", "text"),
      shown("current_page", "Page", "text"),
      shown("country", "Country", "text"),
      shown("device_type", "Device", "text"),
      shown("pages_viewed", "Page views", "count"),
      shown("last_seen", "Last seen", "time"),
    ],
    defaultLimit: 20,
  },
  {
    ...realtime,
    name: "realtime_velocity",
    title: "Events by minute",
    description: "Page views, events and visitors of each minute. The last 30 minutes, whatever range is sent.",
    period: { wholeMinutes: 30 },
    bucketUnit: "minute",
    shape: { kind: "series" },
    fields: [
      { ...dateField, name: "minute", label: "Minute" },
      measured("pageviews"),
      measured("total_events", "events"),
      measured("visitors"),
    ],
    defaultLimit: 30,
  },
  ...recentTypes,
];
