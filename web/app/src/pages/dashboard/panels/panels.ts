import { formatCountry, formatLanguage } from "../../../texts/format.ts";
import type { Texts } from "../../../texts/texts.ts";
import { list, type PanelColumn, type PanelEntry } from "./panelTypes.ts";

/** Rows about page views. */
const viewColumns: readonly PanelColumn<{ readonly pageviews: number; readonly visitors: number }>[] = [
  { name: (t) => t.dashboard.metrics.pageviews, value: (row) => row.pageviews },
  { name: (t) => t.dashboard.metrics.visitors, value: (row) => row.visitors },
];

/** Rows about sessions. */
const sessionColumns: readonly PanelColumn<{ readonly sessions: number; readonly visitors: number }>[] = [
  { name: (t) => t.dashboard.metrics.sessions, value: (row) => row.sessions },
  { name: (t) => t.dashboard.metrics.visitors, value: (row) => row.visitors },
];

type AudienceType =
  | "utm_sources"
  | "utm_mediums"
  | "utm_campaigns"
  | "utm_terms"
  | "utm_content"
  | "device_types"
  | "browsers"
  | "operating_systems"
  | "screen_resolutions"
  | "top_referrers"
  | "regions"
  | "cities";

/** A list of visitors by a property whose values are shown as they are. */
function audience(type: AudienceType, field: string, name: (texts: Texts) => string) {
  return list({
    type,
    title: name,
    rowName: name,
    label: (row, t) => shown(row.name, t),
    key: (row) => JSON.stringify([row.name, "region" in row ? row.region : "", "country" in row ? row.country : ""]),
    columns: viewColumns,
    filter: (row) => ({ field, op: "eq", value: row.name }),
  });
}

/** Errors in scripts, by a property whose values are shown as they are. */
function errorList(
  type: "error_types" | "errors_by_type" | "errors_by_page",
  field: "message" | "error_type" | "path",
  name: (texts: Texts) => string,
) {
  return list({
    type,
    title: name,
    rowName: name,
    label: (row, t) => shown(row.name, t),
    key: (row) => row.name,
    columns: [
      { name: (t) => t.more.errorCount, value: (row) => row.errors },
      { name: (t) => t.dashboard.metrics.visitors, value: (row) => row.users },
    ],
    // Page views have no message, so only the page filters the rest of the overview.
    filter: (row) => (field === "path" ? { field, op: "eq", value: row.name } : undefined),
    isPrivate: true,
  });
}

/** The panels of the overview, in their order. A further one is an entry here; its texts are in texts/. */
export const panels: readonly PanelEntry[] = [
  {
    id: "sources",
    title: (t) => t.panels.sources,
    lists: [
      list({
        type: "traffic_sources",
        title: (t) => t.panels.channels,
        rowName: (t) => t.panels.channel,
        label: (row, t) => t.channels[row.source as keyof Texts["channels"]] ?? row.source,
        key: (row) => row.source,
        columns: viewColumns,
        filter: (row) => ({ field: "referrer_group", op: "eq", value: row.source }),
      }),
      audience("top_referrers", "referrer", (t) => t.panels.referrers),
      audience("utm_campaigns", "utm_campaign", (t) => t.panels.campaigns),
      audience("utm_sources", "utm_source", (t) => t.panels.campaignSources),
      audience("utm_mediums", "utm_medium", (t) => t.panels.campaignMediums),
      audience("utm_terms", "utm_term", (t) => t.more.campaignTerms),
      audience("utm_content", "utm_content", (t) => t.more.campaignContents),
    ],
  },
  {
    id: "pages",
    title: (t) => t.panels.pages,
    lists: [
      list({
        type: "top_pages",
        title: (t) => t.panels.topPages,
        rowName: (t) => t.panels.page,
        label: (row) => row.path,
        key: (row) => row.path,
        columns: viewColumns,
        filter: (row) => ({ field: "path", op: "eq", value: row.path }),
      }),
      list({
        type: "entry_pages",
        title: (t) => t.panels.entryPages,
        rowName: (t) => t.panels.page,
        label: (row) => row.path,
        key: (row) => row.path,
        columns: sessionColumns,
        filter: (row) => ({ field: "path", op: "eq", value: row.path }),
      }),
      list({
        type: "exit_pages",
        title: (t) => t.panels.exitPages,
        rowName: (t) => t.panels.page,
        label: (row) => row.path,
        key: (row) => row.path,
        columns: sessionColumns,
        filter: (row) => ({ field: "path", op: "eq", value: row.path }),
      }),
      list({
        type: "not_found_pages",
        title: (t) => t.panels.notFound,
        rowName: (t) => t.panels.page,
        label: (row) => row.path,
        key: (row) => row.path,
        columns: viewColumns,
        filter: (row) => ({ field: "path", op: "eq", value: row.path }),
      }),
    ],
  },
  {
    id: "places",
    title: (t) => t.panels.places,
    lists: [
      list({
        type: "countries",
        title: (t) => t.panels.countries,
        rowName: (t) => t.panels.country,
        label: (row, t) => formatCountry(shown(row.name, t)),
        key: (row) => row.name,
        columns: viewColumns,
        filter: (row) => ({ field: "country", op: "eq", value: row.name }),
      }),
      audience("regions", "region", (t) => t.panels.regions),
      audience("cities", "city", (t) => t.panels.cities),
      list({
        type: "languages",
        title: (t) => t.panels.languages,
        rowName: (t) => t.panels.language,
        label: (row, t) => formatLanguage(shown(row.name, t)),
        key: (row) => row.name,
        columns: viewColumns,
        filter: (row) => ({ field: "language", op: "eq", value: row.name }),
      }),
    ],
  },
  {
    id: "devices",
    title: (t) => t.panels.devices,
    lists: [
      list({
        type: "device_types",
        title: (t) => t.panels.deviceTypes,
        rowName: (t) => t.panels.deviceType,
        label: (row, t) => t.deviceNames[row.name as keyof Texts["deviceNames"]] ?? shown(row.name, t),
        key: (row) => row.name,
        columns: viewColumns,
        filter: (row) => ({ field: "device_type", op: "eq", value: row.name }),
      }),
      audience("browsers", "browser_name", (t) => t.panels.browsers),
      audience("operating_systems", "os_name", (t) => t.panels.systems),
      audience("screen_resolutions", "screen_resolution", (t) => t.panels.screens),
    ],
  },
  {
    id: "events",
    title: (t) => t.panels.events,
    lists: [
      list({
        type: "events",
        title: (t) => t.panels.customEvents,
        rowName: (t) => t.panels.event,
        label: (row) => row.name,
        key: (row) => row.name,
        columns: [
          { name: (t) => t.panels.count, value: (row) => row.count },
          { name: (t) => t.dashboard.metrics.visitors, value: (row) => row.visitors },
        ],
        filter: (row) => ({ field: "event_name", op: "eq", value: row.name }),
        isPrivate: true,
      }),
      list({
        type: "custom_event_properties",
        title: (t) => t.panels.properties,
        rowName: (t) => t.panels.property,
        label: (row) => `${row.name} · ${row.property_key}: ${row.property_value}`,
        key: (row) => JSON.stringify([row.name, row.property_key, row.property_value]),
        columns: [{ name: (t) => t.panels.count, value: (row) => row.count }],
        filter: (row) => ({ field: `properties.${row.property_key}`, op: "eq", value: row.property_value }),
        isPrivate: true,
      }),
      list({
        type: "outbound_links",
        title: (t) => t.panels.outboundLinks,
        rowName: (t) => t.panels.link,
        label: (row) => row.href,
        key: (row) => JSON.stringify([row.href, row.text]),
        columns: [
          { name: (t) => t.panels.clicks, value: (row) => row.total_clicks },
          { name: (t) => t.dashboard.metrics.visitors, value: (row) => row.unique_users },
        ],
        isPrivate: true,
      }),
    ],
  },
  {
    id: "errors",
    title: (t) => t.more.errors,
    lists: [
      errorList("error_types", "message", (t) => t.more.errorMessages),
      errorList("errors_by_type", "error_type", (t) => t.more.errorTypes),
      errorList("errors_by_page", "path", (t) => t.more.errorPages),
    ],
  },
];

/** The service's words for rows without a value. */
function shown(value: string, { panels: texts }: Texts): string {
  if (value === "Unknown") return texts.unknown;
  return value === "Direct" ? texts.direct : value;
}
