import type { QueryTypeName } from "../../../../../../packages/client-js/src/query.ts";
import type { AllTexts } from "../../../texts/settings/settingsTexts.ts";

/** The key figures and their chart, which every shared dashboard begins with. */
export const figureTypes: readonly QueryTypeName[] = [
  "summary_metrics",
  "active_stats",
  "events_by_date",
  "page_views",
];

/** A part of the overview that can be shared, with the query types of its lists. */
export type SharedPanel = {
  readonly id: string;
  readonly name: (texts: AllTexts) => string;
  readonly types: readonly QueryTypeName[];
};

export const sharedPanels: readonly SharedPanel[] = [
  {
    id: "sources",
    name: (t) => t.panels.sources,
    types: [
      ...(["traffic_sources", "top_referrers", "utm_campaigns", "utm_sources"] as const),
      ...(["utm_mediums", "utm_terms", "utm_content"] as const),
    ],
  },
  {
    id: "pages",
    name: (t) => t.panels.pages,
    types: ["top_pages", "entry_pages", "exit_pages", "not_found_pages"],
  },
  {
    id: "places",
    name: (t) => t.panels.places,
    types: ["countries", "regions", "cities", "languages", "sessions_by_country"],
  },
  {
    id: "devices",
    name: (t) => t.panels.devices,
    types: [
      ...(["browsers", "operating_systems", "device_types", "screen_resolutions"] as const),
      ...(["sessions_by_browser", "sessions_by_device"] as const),
    ],
  },
];

/** The types of the chosen panels, with those of the key figures. */
export function typesOf(chosen: readonly string[]): QueryTypeName[] {
  return [...figureTypes, ...sharedPanels.filter(({ id }) => chosen.includes(id)).flatMap(({ types }) => types)];
}

/** The panels that a shared dashboard shows. */
export function panelsOf(types: readonly string[]): SharedPanel[] {
  return sharedPanels.filter((panel) => panel.types.some((type) => types.includes(type)));
}
