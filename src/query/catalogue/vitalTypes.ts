import type { FieldName } from "../sql/fields.ts";
import {
  dateField,
  grouped,
  measured,
  type OutputField,
  type QueryType,
  seriesLimit,
  tableLimit,
} from "./queryType.ts";

const vitalTable = {
  category: "vitals",
  isPublic: true,
  table: "performance_metrics",
  defaultLimit: tableLimit,
} as const;

const percentiles: readonly OutputField[] = [
  measured("p50"),
  measured("p75"),
  measured("p90"),
  measured("p95"),
  measured("p99"),
];

function vitalsBy(
  name: string,
  label: string,
  dimensions: readonly FieldName[],
  more: readonly OutputField[] = [],
): QueryType {
  return {
    ...vitalTable,
    name,
    title: `Web vitals by ${label.toLowerCase()}`,
    description: `Median of each web vital, by ${label.toLowerCase()}, most visitors first. A figure that was not measured is null.`,
    only: "web_vital",
    shape: { kind: "table", dimensions },
    fields: [
      grouped("name", label),
      ...more,
      measured("sample_visitors", "visitors"),
      measured("p50_lcp"),
      measured("p50_fcp"),
      measured("p50_cls"),
      measured("p50_inp"),
      measured("p50_ttfb"),
      measured("samples"),
    ],
  };
}

/** How fast pages were for their visitors. CLS has no unit, all other figures are milliseconds. */
export const vitalTypes: readonly QueryType[] = [
  {
    ...vitalTable,
    name: "vitals_overview",
    title: "Web vitals",
    description: "Percentiles and average of every figure that was measured on pages.",
    shape: { kind: "table", dimensions: ["metric_name"] },
    fields: [grouped("metric_name", "Figure"), ...percentiles, measured("avg_value"), measured("samples")],
  },
  {
    ...vitalTable,
    name: "vitals_by_page",
    title: "Web vitals by page",
    description: "Percentiles of every figure by the page it was measured on, most measured first.",
    shape: { kind: "table", dimensions: ["path", "metric_name"] },
    fields: [
      grouped("page", "Page", 0),
      grouped("metric_name", "Figure", 1),
      ...percentiles,
      measured("sample_visitors", "visitors"),
      measured("samples"),
    ],
  },
  {
    ...vitalTable,
    name: "vitals_time_series",
    title: "Web vitals over time",
    description:
      "Percentiles of every figure, by day or hour. Each figure of the range is in each bucket, with null where it was not measured.",
    shape: { kind: "split_series", dimension: "metric_name" },
    fields: [dateField, grouped("metric_name", "Figure"), ...percentiles, measured("samples")],
    defaultLimit: seriesLimit,
  },
  vitalsBy("vitals_by_country", "Country", ["country"]),
  vitalsBy("vitals_by_browser", "Browser", ["browser_name"]),
  vitalsBy("vitals_by_region", "Region", ["region"]),
  vitalsBy("vitals_by_city", "City", ["city", "country"], [grouped("country", "Country", 1)]),
  {
    ...vitalTable,
    name: "performance_overview",
    title: "Load times",
    description: "How long pages took to load, in one row. A figure that was not measured is null.",
    only: "page_load",
    shape: { kind: "summary" },
    fields: [measured("avg_load_time"), measured("avg_dom_ready_time"), measured("avg_render_time")],
  },
];
