import type { QueryTypeName } from "../../../../../../packages/client-js/src/query.ts";
import type { Rows } from "../../../../../../packages/client-js/src/rows.ts";
import type { Texts } from "../../../texts/texts.ts";

/** A query type whose rows have the known values of a field. */
export type NamedRows = {
  [N in QueryTypeName]: Rows[N] extends { readonly name: string } | { readonly path: string } ? N : never;
}[QueryTypeName];

/** A field that people filter by. */
export type FilterField = {
  readonly field: keyof Texts["fields"];
  /** The type that lists its values. */
  readonly type: NamedRows;
  /** Whether values are shown under other names, so that the service cannot search them. */
  readonly isNamed?: true;
  /** Whether a public dashboard does not know its values. */
  readonly isPrivate?: true;
};

/** In the order of the choice. */
export const filterFields: readonly FilterField[] = [
  { field: "path", type: "top_pages" },
  { field: "entry_page", type: "entry_pages" },
  { field: "exit_page", type: "exit_pages" },
  { field: "title", type: "page_titles" },
  { field: "referrer_group", type: "traffic_sources", isNamed: true },
  { field: "referrer", type: "top_referrers" },
  { field: "utm_campaign", type: "utm_campaigns" },
  { field: "utm_source", type: "utm_sources" },
  { field: "utm_medium", type: "utm_mediums" },
  { field: "utm_term", type: "utm_terms" },
  { field: "utm_content", type: "utm_content" },
  { field: "country", type: "countries", isNamed: true },
  { field: "region", type: "regions" },
  { field: "city", type: "cities" },
  { field: "language", type: "languages", isNamed: true },
  { field: "timezone", type: "timezones" },
  { field: "device_type", type: "device_types", isNamed: true },
  { field: "browser_name", type: "browsers" },
  { field: "browser_version", type: "browser_versions" },
  { field: "os_name", type: "operating_systems" },
  { field: "os_version", type: "os_versions" },
  { field: "screen_resolution", type: "screen_resolutions" },
  { field: "visitor_type", type: "visitor_types", isNamed: true },
  { field: "event_name", type: "events", isPrivate: true },
];
