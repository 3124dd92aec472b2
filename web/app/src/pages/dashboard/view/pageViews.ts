import type { ViewFilter } from "./filter.ts";
import type { Metric } from "./view.ts";

/**
 * Whether filters select no page views, so that figures of page views are meaningless: filters on names or properties of custom
 * events, and on outgoing links. A filter on a path, or on a field of visits, selects page views too.
 */
export function excludePageViews(filters: readonly ViewFilter[]): boolean {
  return filters.some((filter) => {
    if (ofLinks.has(filter.field)) return true;
    const text = textOfPageView(filter.field);
    return text !== undefined && !isMet(filter, text);
  });
}

const ofLinks: ReadonlySet<string> = new Set(["href", "text", "domain"]);

/** The value of a field in all page views; undefined if they differ. */
function textOfPageView(field: string): string | undefined {
  if (field === "event_name" || field === "event_type") return "page_view";
  // The tracker gives page views only one property: for pages that were not found.
  return field.startsWith("properties.") && field !== "properties.notFound" ? "" : undefined;
}

function isMet(filter: ViewFilter, text: string): boolean {
  if (!("value" in filter)) return (text === "") === (filter.op === "is_empty");
  const { op, value } = filter;
  switch (op) {
    case "in":
      return value.includes(text);
    case "not_in":
      return !value.includes(text);
    case "ne":
      return text !== value;
    case "contains":
      return text.includes(value);
    case "not_contains":
      return !text.includes(value);
    case "starts_with":
      return text.startsWith(value);
    case "ends_with":
      return text.endsWith(value);
    case "matches":
      return globOf(value).test(text);
    default:
      return text === value;
  }
}

/** `*` matches any characters, `?` matches one. Several successive `*` would make the search slow. */
function globOf(pattern: string): RegExp {
  const parts = pattern.split(/(\*+|\?)/).map((part, index) => {
    if (index % 2 === 0) return part.replaceAll(/[\\^$.+(){}|[\]]/g, "\\$&");
    return part === "?" ? "." : ".*";
  });
  return new RegExp(`^${parts.join("")}$`, "su");
}

/** Whether a figure is meaningless with these filters. */
export function saysNothing(metric: Metric, filters: readonly ViewFilter[]): boolean {
  return (metric === "pageviews" || metric === "pages_per_session") && excludePageViews(filters);
}

/** The figure that the chart draws: sessions instead of a meaningless one. */
export function drawnMetric({ metric, filters }: { readonly metric: Metric; readonly filters: readonly ViewFilter[] }) {
  return saysNothing(metric, filters) ? "sessions" : metric;
}
