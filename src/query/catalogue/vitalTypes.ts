import type { FieldName } from "../sql/fields.ts";
import { define, type Group, summary, table } from "./define.ts";
import { dateField, figures, grouped, measured, type OutputField, type QueryType, seriesLimit } from "./queryType.ts";

const vitals = { category: "vitals", isPublic: true, table: "performance_metrics" } as const satisfies Group;

const percentiles: readonly OutputField[] = [...figures("p50", "p75", "p90", "p95", "p99")];

function vitalsBy(
  name: string,
  label: string,
  dimensions: readonly FieldName[],
  more: readonly OutputField[] = [],
): QueryType {
  const by = label.toLowerCase();
  return table(
    { ...vitals, only: "web_vital" },
    name,
    `Web vitals by ${by}`,
    `Median of each web vital, by ${by}, most visitors first. A figure that was not measured is null.`,
    dimensions,
    [
      grouped("name", label),
      ...more,
      measured("sample_visitors", "visitors"),
      ...figures("p50_lcp", "p50_fcp", "p50_cls", "p50_inp", "p50_ttfb", "samples"),
    ],
  );
}

/** How fast pages were for their visitors. CLS is a score, all other figures are milliseconds. */
export const vitalTypes: readonly QueryType[] = [
  table(
    vitals,
    "vitals_overview",
    "Web vitals",
    "Percentiles and average of every figure that was measured on pages.",
    ["metric_name"],
    [grouped("metric_name", "Figure"), ...percentiles, ...figures("avg_value", "samples")],
  ),
  table(
    vitals,
    "vitals_by_page",
    "Web vitals by page",
    "Percentiles of every figure by the page it was measured on, most measured first: a row for each page and figure. Filter metric_name, such as eq LCP, for one row for each page, to find slow ones; device_type eq mobile for phones.",
    ["path", "metric_name"],
    [
      grouped("page", "Page", 0),
      grouped("metric_name", "Figure", 1),
      ...percentiles,
      measured("sample_visitors", "visitors"),
      measured("samples"),
    ],
  ),
  define(
    vitals,
    "vitals_time_series",
    "Web vitals over time",
    "Percentiles of every figure, by day or hour. Each figure of the range is in each bucket, with null where it was not measured.",
    { kind: "split_series", dimension: "metric_name" },
    [dateField, grouped("metric_name", "Figure"), ...percentiles, measured("samples")],
    { defaultLimit: seriesLimit },
  ),
  vitalsBy("vitals_by_country", "Country", ["country"]),
  vitalsBy("vitals_by_browser", "Browser", ["browser_name"]),
  vitalsBy("vitals_by_region", "Region", ["region"]),
  vitalsBy("vitals_by_city", "City", ["city", "country"], [grouped("country", "Country", 1)]),
  summary(
    { ...vitals, only: "page_load" },
    "performance_overview",
    "Load times",
    "How long pages took to load, in one row. A figure that was not measured is null.",
    figures("avg_load_time", "avg_dom_ready_time", "avg_render_time"),
  ),
];
