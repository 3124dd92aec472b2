import { dateField, grouped, measured, type OutputField, type QueryType } from "../../query/catalogue/queryType.ts";
import type { FieldName } from "../../query/sql/fields.ts";

export type Metric = "clicks" | "uniqueVisitors" | "conversionRate";
export type Dimension = "country" | "device" | "browser" | "os" | "referrer" | "date";

/** The field of link_clicks for each dimension and filter of specification 4.14. */
export const fieldOfDimension: Readonly<Record<Exclude<Dimension, "date">, FieldName>> = {
  country: "country",
  device: "device_type",
  browser: "browser_name",
  os: "os_name",
  referrer: "referrer",
};

const figures: readonly OutputField[] = [
  measured("link_clicks", "clicks"),
  measured("link_visitors", "uniqueVisitors"),
];

/**
 * How clicks are counted by a dimension, or in total without one: rows of the dimension's value, `clicks` and
 * `uniqueVisitors`.
 */
export function analyticsType(metric: Metric, dimension: Dimension | undefined): QueryType {
  const type = {
    name: "analytics",
    title: "Click analytics",
    description: "Clicks and visitors of short links.",
    category: "links",
    isPublic: false,
    table: "link_clicks",
    defaultLimit: 100,
  } as const;
  if (dimension === undefined) return { ...type, shape: { kind: "summary" }, fields: figures };
  if (dimension === "date") return { ...type, shape: { kind: "series" }, fields: [dateField, ...figures] };
  return {
    ...type,
    shape: {
      kind: "table",
      dimensions: [fieldOfDimension[dimension]],
      ...(metric === "uniqueVisitors" ? { largestFirst: "link_visitors" } : {}),
    },
    fields: [grouped(dimension, dimension), ...figures],
  };
}
