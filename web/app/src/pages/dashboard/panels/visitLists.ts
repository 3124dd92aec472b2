import type { FilterField } from "../../../../../../packages/client-js/src/filterFields.ts";
import type { Texts } from "../../../texts/texts.ts";
import { valueName } from "../../../texts/valueName.ts";
import type { TextFilter } from "../view/filter.ts";
import { list, type PanelColumn, type PanelList } from "./panelTypes.ts";

type Visits = { readonly visitors: number; readonly sessions: number };

const sessionColumns: readonly PanelColumn<Visits>[] = [
  { field: "visitors", name: (t) => t.dashboard.metrics.visitors },
  { field: "sessions", name: (t) => t.dashboard.metrics.sessions },
];

const viewColumn: PanelColumn<{ readonly pageviews: number }> = {
  field: "pageviews",
  name: (t) => t.dashboard.metrics.pageviews,
  isOfPageViews: true,
};

type Text = (texts: Texts) => string;

/** How a list of visits differs from the usual. */
type Particulars = Pick<PanelList, "isFirstWithGoal" | "isFurther" | "visitsType"> & {
  /** The name of a row; that of the list unless given. */
  readonly rowName?: Text;
};

type AudienceType =
  | "traffic_sources"
  | "top_referrers"
  | "utm_sources"
  | "utm_mediums"
  | "utm_campaigns"
  | "utm_terms"
  | "utm_content"
  | "countries"
  | "regions"
  | "cities"
  | "languages"
  | "device_types"
  | "browsers"
  | "operating_systems"
  | "screen_resolutions";

const around: Readonly<Partial<Record<AudienceType, readonly ("region" | "country")[]>>> = {
  regions: ["country"],
  cities: ["region", "country"],
};

/** A list of visits by one of their fields. */
export function audience(type: AudienceType, visitField: FilterField, title: Text, more: Particulars = {}): PanelList {
  return list({
    type,
    title,
    rowName: title,
    label: (row, t) => valueName(visitField, row.name, t),
    // The same name, or Unknown, may stand for places in several countries.
    names: ["name", ...((around[type] ?? []) as readonly string[] as readonly "name"[])],
    columns: [...sessionColumns, viewColumn],
    servedBy: "pageviews",
    hasShare: true,
    // A country's row is also a place in this country.
    filters: (row) => {
      const places: readonly TextFilter[] = [
        ...("region" in row ? [{ field: "region", op: "eq", value: row.region } as const] : []),
        ...("country" in row ? [{ field: "country", op: "eq", value: row.country } as const] : []),
      ];
      return [{ field: visitField, op: "eq", value: row.name }, ...places.filter(({ field }) => field !== visitField)];
    },
    icon: (row) => ("country" in row ? ["country", row.country] : [visitField, row.name]),
    visitField,
    carriesGoal: true,
    leavesOutUnknown: visitField.startsWith("utm_"),
    searchField: visitField,
    ...more,
  });
}

/** The pages that visits begin or end with. */
export function ends(type: "entry_pages" | "exit_pages", visitField: FilterField, title: Text): PanelList {
  return list({
    type,
    title,
    rowName: (t) => t.panels.page,
    label: (row, t) => valueName(visitField, row.path, t),
    names: ["path"],
    columns: sessionColumns,
    servedBy: "sessions",
    hasShare: true,
    filters: (row) => [{ field: visitField, op: "eq", value: row.path }],
    visitField,
    carriesGoal: true,
    searchField: visitField,
  });
}

type PageType = "top_pages" | "not_found_pages";

/** Pages by their views. A path is a field of events, so it filters events, not visits. */
export function views(type: PageType, title: Text, more: Partial<PanelList<PageType>> = {}): PanelList {
  return list({
    type,
    title,
    rowName: (t) => t.panels.page,
    label: (row, t) => valueName("path", row.path, t),
    names: ["path"],
    columns: [{ field: "visitors", name: (t) => t.dashboard.metrics.visitors }, viewColumn],
    servedBy: "pageviews",
    hasShare: true,
    isOfPageViews: true,
    filters: (row) => [{ field: "path", op: "eq", value: row.path }],
    searchField: "path",
    ...more,
  });
}
