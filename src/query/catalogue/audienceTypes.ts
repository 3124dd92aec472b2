import type { FieldName } from "../sql/fields.ts";
import {
  type Category,
  figures,
  grouped,
  joined,
  measured,
  type OutputField,
  type QueryType,
  share,
  tableLimit,
} from "./queryType.ts";

/** A table of visits by a field of visits. */
function audience(
  category: Category,
  name: string,
  title: string,
  label: string,
  dimensions: readonly FieldName[],
  more: readonly OutputField[] = [],
): QueryType {
  return {
    name,
    title,
    description: `Page views, visitors and sessions by ${label.toLowerCase()}, most viewed first.`,
    category,
    isPublic: true,
    table: "events",
    shape: { kind: "table", dimensions },
    fields: [
      ...(more.some((field) => field.name === "name") ? [] : [grouped("name", label)]),
      ...more,
      ...figures("pageviews", "visitors"),
      measured("active_sessions", "sessions"),
      share("pageviews"),
    ],
    defaultLimit: tableLimit,
  };
}

/** A table of visits by campaign. */
function campaign(name: string, title: string, label: string, dimension: FieldName): QueryType {
  const type = audience("traffic", name, title, label, [dimension]);
  return {
    ...type,
    description: `${type.description} Rows without one are not counted.`,
    shape: { kind: "table", dimensions: [dimension], withoutValue: "none" },
  };
}

/** A table of visits by the versions of what visitors use. */
function versions(title: string, own: "browser" | "os", label: string): QueryType {
  const both = `${label} and version`;
  return audience(
    "devices",
    `${own}_versions`,
    title,
    both,
    [`${own}_name`, `${own}_version`],
    [joined("name", both, [0, 1]), grouped(`${own}_name`, label), grouped(`${own}_version`, "Version", 1)],
  );
}

/** A table of sessions by a field of visits. */
function sessionsBy(name: string, label: string, dimension: FieldName): QueryType {
  return {
    name,
    title: `Sessions by ${label.toLowerCase()}`,
    description: `Sessions, their visitors and average duration by ${label.toLowerCase()}, most sessions first.`,
    category: "sessions",
    isPublic: true,
    table: "events",
    shape: { kind: "table", dimensions: [dimension] },
    fields: [
      grouped("name", label),
      measured("sessions"),
      measured("session_visitors", "visitors"),
      ...figures("avg_session_duration", "bounce_rate"),
      share("sessions"),
    ],
    defaultLimit: tableLimit,
  };
}

const referrerFields = [grouped("referrer", "Referrer")];
const sources = audience(
  "traffic",
  "traffic_sources",
  "Traffic sources",
  "Source",
  ["referrer_group"],
  [grouped("source", "Source")],
);
const regionFields = [grouped("country", "Country", 1)];
const cityFields = [grouped("country", "Country", 2), grouped("region", "Region", 1)];

/** Figures by where visitors come from, what they use and where they are. */
export const audienceTypes: readonly QueryType[] = [
  audience("traffic", "referrers", "Referrers", "Referrer", ["referrer_source"], referrerFields),
  audience("traffic", "top_referrers", "Top referrers", "Referrer", ["referrer_source"], referrerFields),
  {
    ...sources,
    description: `${sources.description} Sources are direct, search, social, email, ai, paid, referral and other. A visit is direct only without any referrer and campaign.`,
  },
  audience("traffic", "referrer_urls", "Referrer addresses", "Address", ["referrer_url"]),
  campaign("utm_sources", "Campaign sources", "Campaign source", "utm_source"),
  campaign("utm_mediums", "Campaign media", "Campaign medium", "utm_medium"),
  campaign("utm_campaigns", "Campaigns", "Campaign", "utm_campaign"),
  campaign("utm_terms", "Campaign terms", "Campaign term", "utm_term"),
  campaign("utm_content", "Campaign contents", "Campaign content", "utm_content"),

  {
    ...audience("traffic", "visitor_types", "First and returning visitors", "First or returning", ["visitor_type"]),
    description:
      "Page views, visitors and sessions of first and of returning visits. A visit is first if none of its visitor began before it among all that are kept. Visitors are recognized for a day unless their ids are kept longer.",
  },

  audience("devices", "browsers", "Browsers", "Browser", ["browser_name"]),
  audience("devices", "browser_name", "Browsers", "Browser", ["browser_name"]),
  audience("devices", "operating_systems", "Operating systems", "Operating system", ["os_name"]),
  audience("devices", "os_name", "Operating systems", "Operating system", ["os_name"]),
  audience(
    "devices",
    "browsers_grouped",
    "Browsers and versions",
    "Browser and version",
    ["browser_name", "browser_version"],
    [grouped("browser_name", "Browser"), grouped("browser_version", "Version", 1)],
  ),
  versions("Browser versions", "browser", "Browser"),
  versions("Versions of operating systems", "os", "Operating system"),
  audience("devices", "devices", "Devices", "Device", ["device_type"]),
  audience("devices", "device_types", "Device types", "Device", ["device_type"]),
  audience("devices", "screen_resolutions", "Screen resolutions", "Screen resolution", ["screen_resolution"]),
  audience(
    "devices",
    "screen_resolution",
    "Screen resolutions by device",
    "Screen resolution and device",
    ["screen_resolution", "device_type"],
    [grouped("device_type", "Device", 1)],
  ),
  audience(
    "devices",
    "viewport_patterns",
    "Window sizes",
    "Window size",
    ["viewport_size"],
    [grouped("viewport_size", "Window size")],
  ),
  audience(
    "devices",
    "viewport_vs_resolution",
    "Window sizes by device",
    "Window size and device",
    ["viewport_size", "device_type"],
    [grouped("viewport_size", "Window size"), grouped("device_type", "Device", 1)],
  ),
  audience("devices", "connection_types", "Connection types", "Connection type", ["connection_type"]),

  audience("geo", "countries", "Countries", "Country", ["country"], [grouped("country", "Country")]),
  audience("geo", "country", "Countries", "Country", ["country"]),
  audience("geo", "regions", "Regions", "Region and country", ["region", "country"], regionFields),
  audience("geo", "region", "Regions", "Region and country", ["region", "country"], regionFields),
  audience("geo", "cities", "Cities", "City, region and country", ["city", "region", "country"], cityFields),
  audience("geo", "city", "Cities", "City, region and country", ["city", "region", "country"], cityFields),
  audience("geo", "languages", "Languages", "Language", ["language"]),
  audience("geo", "language", "Languages", "Language", ["language"]),
  audience("geo", "timezones", "Time zones", "Time zone", ["timezone"]),
  audience("geo", "timezone", "Time zones", "Time zone", ["timezone"]),

  sessionsBy("sessions_by_device", "Device", "device_type"),
  sessionsBy("sessions_by_browser", "Browser", "browser_name"),
  sessionsBy("sessions_by_country", "Country", "country"),
];
