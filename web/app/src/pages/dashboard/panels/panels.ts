import type { Texts } from "../../../texts/texts.ts";
import { valueName } from "../valueName.ts";
import type { TextFilter } from "../view/view.ts";
import { list, type PanelColumn, type PanelEntry, type PanelList } from "./panelTypes.ts";

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

type Text = (texts: Texts) => string;

/** How a list of visits differs from the usual. */
type Particulars = {
  /** The name of a row; that of the list unless given. */
  readonly rowName?: Text;
  readonly isFirstWithGoal?: true;
};

type AudienceType =
  | "traffic_sources"
  | "top_referrers"
  | "countries"
  | "regions"
  | "cities"
  | "languages"
  | "device_types"
  | "browsers"
  | "operating_systems"
  | "screen_resolutions";

/** A list of visits by one of their fields. */
function audience(type: AudienceType | CampaignType, visitField: string, title: Text, more: Particulars = {}) {
  return list({
    type,
    title,
    rowName: title,
    label: (row, t) => valueName(visitField, row.name, t),
    key: (row) => JSON.stringify([row.name, "region" in row ? row.region : "", "country" in row ? row.country : ""]),
    columns: viewColumns,
    columnsWithoutViews: sessionColumns,
    // The same name, or Unknown, may stand for places in several countries. A country's row is also such a place.
    filters: (row) => {
      const around: readonly TextFilter[] = [
        ...("region" in row ? [{ field: "region", op: "eq", value: row.region } as const] : []),
        ...("country" in row ? [{ field: "country", op: "eq", value: row.country } as const] : []),
      ];
      return [{ field: visitField, op: "eq", value: row.name }, ...around.filter(({ field }) => field !== visitField)];
    },
    visitField,
    leavesOutUnknown: visitField.startsWith("utm_"),
    ...more,
  });
}

type CampaignType = "utm_sources" | "utm_mediums" | "utm_campaigns" | "utm_terms" | "utm_content";

/** The pages that visits begin or end with. */
function ends(type: "entry_pages" | "exit_pages", visitField: string, title: Text, more: Particulars = {}) {
  return list({
    type,
    title,
    rowName: (t) => t.panels.page,
    label: (row, t) => valueName(visitField, row.path, t),
    key: (row) => row.path,
    columns: sessionColumns,
    filters: (row) => [{ field: visitField, op: "eq", value: row.path }],
    visitField,
    ...more,
  });
}

type PageType = "top_pages" | "not_found_pages";

/** Pages by their views. A path is a field of events, so it filters events, not visits. */
function views(type: PageType, title: Text, more: Partial<PanelList<PageType>> = {}) {
  return list({
    type,
    title,
    rowName: (t) => t.panels.page,
    label: (row, t) => valueName("path", row.path, t),
    key: (row) => row.path,
    columns: viewColumns,
    isOfPageViews: true,
    filters: (row) => [{ field: "path", op: "eq", value: row.path }],
    ...more,
  });
}

/** Errors in scripts by a property, whose values are shown unchanged. */
function errorList(
  type: "error_types" | "errors_by_type" | "errors_by_page",
  field: "message" | "error_type" | "path",
  name: (texts: Texts) => string,
) {
  return list({
    type,
    title: name,
    rowName: name,
    label: (row, t) => valueName(field, row.name, t),
    key: (row) => row.name,
    columns: [
      { name: (t) => t.more.errorCount, value: (row) => row.errors },
      { name: (t) => t.dashboard.metrics.visitors, value: (row) => row.users },
    ],
    moreIs: "worse",
    // Page views have no message or type, so only the page filters the rest of the overview.
    filters: (row) => (field === "path" ? [{ field, op: "eq", value: row.name }] : []),
    isPrivate: true,
  });
}

/** The panels of the overview, in their order. A further one is an entry here; its texts are in texts/. */
export const panels: readonly PanelEntry[] = [
  {
    id: "sources",
    title: (t) => t.panels.sources,
    lists: [
      audience("traffic_sources", "referrer_group", (t) => t.panels.channels, { rowName: (t) => t.panels.channel }),
      audience("top_referrers", "referrer", (t) => t.panels.referrers),
      audience("utm_campaigns", "utm_campaign", (t) => t.panels.campaigns, { isFirstWithGoal: true }),
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
      views("top_pages", (t) => t.panels.topPages, {
        carriesGoal: true,
      }),
      ends("entry_pages", "entry_page", (t) => t.panels.entryPages, { isFirstWithGoal: true }),
      ends("exit_pages", "exit_page", (t) => t.panels.exitPages),
      views("not_found_pages", (t) => t.panels.notFound, { moreIs: "worse" }),
    ],
  },
  {
    id: "places",
    title: (t) => t.panels.places,
    lists: [
      audience("countries", "country", (t) => t.panels.countries, { rowName: (t) => t.panels.country }),
      audience("regions", "region", (t) => t.panels.regions),
      audience("cities", "city", (t) => t.panels.cities),
      audience("languages", "language", (t) => t.panels.languages, { rowName: (t) => t.panels.language }),
    ],
  },
  {
    id: "devices",
    title: (t) => t.panels.devices,
    lists: [
      audience("device_types", "device_type", (t) => t.panels.deviceTypes, { rowName: (t) => t.panels.deviceType }),
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
        filters: (row) => [{ field: "event_name", op: "eq", value: row.name }],
        carriesGoal: true,
        isPrivate: true,
      }),
      list({
        type: "custom_event_properties",
        title: (t) => t.panels.properties,
        rowName: (t) => t.panels.property,
        label: (row) => `${row.name} · ${row.property_key}: ${row.property_value}`,
        key: (row) => JSON.stringify([row.name, row.property_key, row.property_value]),
        columns: [{ name: (t) => t.panels.count, value: (row) => row.count }],
        // Other events may have the same property.
        filters: (row) => [
          { field: `properties.${row.property_key}`, op: "eq", value: row.property_value },
          { field: "event_name", op: "eq", value: row.name },
        ],
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
