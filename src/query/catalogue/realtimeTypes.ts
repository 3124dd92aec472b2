import type { FieldName } from "../sql/fields.ts";
import { dateField, grouped, measured, type OutputField, type QueryType, shown } from "./queryType.ts";

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

/** What happens on a website now. */
export const realtimeTypes: readonly QueryType[] = [
  {
    ...realtime,
    name: "realtime_pages",
    title: "Pages now",
    description: `Page views and visitors of each path, most viewed first. ${now}`,
    only: "page_view",
    shape: { kind: "table", dimensions: ["path"] },
    fields: [grouped("path", "Page"), measured("pageviews"), measured("visitors")],
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
];
