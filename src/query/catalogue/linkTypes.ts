import type { FieldName } from "../sql/fields.ts";
import type { MeasureName } from "../sql/measures.ts";
import {
  dateField,
  grouped,
  measured,
  type OutputField,
  type QueryType,
  seriesLimit,
  share,
  tableLimit,
} from "./queryType.ts";

// Where links are published and how they perform is confidential, so no public dashboard shows it.
const clicks = { category: "links", isPublic: false, table: "link_clicks" } as const;

/** Rows in lists of the most clicked. */
const topLimit = 10;

const clickFields = [measured("link_clicks", "clicks"), measured("link_visitors", "visitors"), share("link_clicks")];

/** Clicks on short links: those of `link_id`, or of all links of a website or an organization. */
export const linkTypes: readonly QueryType[] = [
  {
    ...clicks,
    name: "link_total_clicks",
    title: "Clicks",
    description: "Clicks on short links and their visitors, each counted once a day.",
    shape: { kind: "summary" },
    fields: [measured("link_clicks", "total"), measured("link_visitors", "visitors")],
    defaultLimit: 1,
  },
  series("link_clicks_by_day", "Clicks over time", "Clicks on short links and their visitors, by day or hour.", [
    measured("link_clicks", "clicks"),
    measured("link_visitors", "visitors"),
  ]),
  different("link_referrers_by_day", "Referrers over time", "sites that clicks came from", "link_referrers"),
  different("link_countries_by_day", "Countries over time", "countries that clicks came from", "link_countries"),
  top("link_top_referrers", "Referrers", "Site", ["referrer"], [grouped("referrer", "Site")]),
  top("link_top_countries", "Countries", "Country", ["country"], [grouped("country", "Country")]),
  top("link_top_regions", "Regions", "Region", ["region", "country"], [grouped("country", "Country", 1)]),
  top("link_top_cities", "Cities", "City", ["city", "country"], [grouped("country", "Country", 1)]),
  top("link_top_devices", "Devices", "Device", ["device_type"], [], tableLimit),
  top("link_top_browsers", "Browsers", "Browser", ["browser_name"], []),
];

function series(name: string, title: string, description: string, fields: readonly OutputField[]): QueryType {
  return {
    ...clicks,
    name,
    title,
    description,
    shape: { kind: "series" },
    fields: [dateField, ...fields],
    defaultLimit: seriesLimit,
  };
}

function different(name: string, title: string, what: string, measure: MeasureName): QueryType {
  return series(name, title, `How many different ${what}, by day or hour.`, [measured(measure, "value")]);
}

function top(
  name: string,
  title: string,
  label: string,
  dimensions: readonly FieldName[],
  more: readonly OutputField[],
  defaultLimit = topLimit,
): QueryType {
  return {
    ...clicks,
    name,
    title,
    description: `${title} that clicks on short links came from, most clicks first.`,
    shape: { kind: "table", dimensions },
    fields: [grouped("name", label), ...more, ...clickFields],
    defaultLimit,
  };
}
