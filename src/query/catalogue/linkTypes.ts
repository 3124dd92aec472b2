import type { FieldName } from "../sql/fields.ts";
import { type Group, series, summary, table } from "./define.ts";
import { grouped, measured, type OutputField, type QueryType, share, tableLimit } from "./queryType.ts";

// Where links are published and how they perform is confidential, so no public dashboard shows it.
const clicks = { category: "links", isPublic: false, table: "link_clicks" } as const satisfies Group;

/** Rows in lists of the most clicked. */
const topLimit = 10;

const clickFields = [measured("link_clicks", "clicks"), measured("link_visitors", "visitors")];

/** Clicks on short links: those of `link_id`, or of all links of a website or an organization. */
export const linkTypes: readonly QueryType[] = [
  summary(
    clicks,
    "link_total_clicks",
    "Clicks",
    "Clicks on short links and their visitors, each counted once a day.",
    [measured("link_clicks", "total"), measured("link_visitors", "visitors")],
    { defaultLimit: 1 },
  ),
  series(
    clicks,
    "link_clicks_by_day",
    "Clicks over time",
    "Clicks on short links and their visitors, by day or hour.",
    clickFields,
  ),
  series(
    clicks,
    "link_referrers_by_day",
    "Referrers over time",
    "How many different sites that clicks came from, by day or hour.",
    [measured("link_referrers", "value")],
  ),
  series(
    clicks,
    "link_countries_by_day",
    "Countries over time",
    "How many different countries that clicks came from, by day or hour.",
    [measured("link_countries", "value")],
  ),
  {
    ...top("link_top_links", "Links", "Id of the link", ["link_id"]),
    description: "Short links by clicks, most clicks first; the name is the link's id.",
  },
  top("link_top_referrers", "Referrers", "Site", ["referrer"], [grouped("referrer", "Site")]),
  top("link_top_countries", "Countries", "Country", ["country"], [grouped("country", "Country")]),
  top("link_top_regions", "Regions", "Region", ["region", "country"], [grouped("country", "Country", 1)]),
  top("link_top_cities", "Cities", "City", ["city", "country"], [grouped("country", "Country", 1)]),
  { ...top("link_top_devices", "Devices", "Device", ["device_type"]), defaultLimit: tableLimit },
  top("link_top_browsers", "Browsers", "Browser", ["browser_name"]),
];

function top(
  name: string,
  title: string,
  label: string,
  dimensions: readonly FieldName[],
  more: readonly OutputField[] = [],
): QueryType {
  const description = `${title} that clicks on short links came from, most clicks first.`;
  const fields = [grouped("name", label), ...more, ...clickFields, share("link_clicks")];
  return { ...table(clicks, name, title, description, dimensions, fields), defaultLimit: topLimit };
}
