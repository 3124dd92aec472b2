import type { Texts } from "../../../texts/texts.ts";
import { valueName } from "../../../texts/valueName.ts";
import { list, type PanelList } from "./panelTypes.ts";

/** Custom events by their names. */
export const eventNames = list({
  type: "events",
  title: (t) => t.panels.customEvents,
  rowName: (t) => t.panels.event,
  label: (row) => row.name,
  names: ["name"],
  columns: [
    { field: "visitors", name: (t) => t.dashboard.metrics.visitors },
    { field: "count", name: (t) => t.panels.count, isInPanel: true },
  ],
  servedBy: "count",
  hasShare: true,
  filters: (row) => [{ field: "event_name", op: "eq", value: row.name }],
  carriesGoal: true,
  searchField: "event_name",
  isPrivate: true,
});

/** Properties of custom events with their values. */
export const eventProperties = list({
  type: "custom_event_properties",
  title: (t) => t.panels.properties,
  rowName: (t) => t.panels.property,
  label: (row) => `${row.name} · ${row.property_key}: ${row.property_value}`,
  names: ["name", "property_key", "property_value"],
  columns: [{ field: "count", name: (t) => t.panels.count }],
  servedBy: "count",
  // Other events may have the same property.
  filters: (row) => [
    { field: `properties.${row.property_key}`, op: "eq", value: row.property_value },
    { field: "event_name", op: "eq", value: row.name },
  ],
  isPrivate: true,
});

/** Links that leave the website. */
export const outgoingLinks = list({
  type: "outbound_links",
  title: (t) => t.panels.outboundLinks,
  rowName: (t) => t.panels.link,
  label: (row) => row.href,
  names: ["href", "text"],
  columns: [
    { field: "unique_users", name: (t) => t.dashboard.metrics.visitors },
    { field: "total_clicks", name: (t) => t.panels.clicks, isInPanel: true },
  ],
  servedBy: "total_clicks",
  searchField: "href",
  isPrivate: true,
});

/** Errors in scripts by a property, whose values are shown unchanged. */
export function errorList(
  type: "error_types" | "errors_by_type" | "errors_by_page",
  field: "message" | "error_type" | "path",
  name: (texts: Texts) => string,
): PanelList {
  return list({
    type,
    title: name,
    rowName: name,
    label: (row, t) => valueName(field, row.name, t),
    names: ["name"],
    columns: [
      { field: "users", name: (t) => t.dashboard.metrics.visitors },
      { field: "errors", name: (t) => t.more.errorCount, isInPanel: true },
    ],
    servedBy: "errors",
    moreIs: "worse",
    // Page views have no message or type, so only the page filters the rest of the overview.
    filters: (row) => (field === "path" ? [{ field, op: "eq", value: row.name }] : []),
    searchField: field,
    isPrivate: true,
  });
}
