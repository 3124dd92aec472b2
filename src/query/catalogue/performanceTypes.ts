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

const performance = { category: "performance", isPublic: true, table: "performance_metrics" } as const;

const notMeasured = "A figure that was not measured is null.";

const loadFields: readonly OutputField[] = [
  measured("avg_load_time"),
  measured("p50_load_time"),
  measured("avg_ttfb"),
  measured("avg_dom_ready_time"),
  measured("avg_render_time"),
  measured("page_loads", "pageviews"),
];

function loadsBy(name: string, label: string, dimension: FieldName): QueryType {
  return {
    ...performance,
    name,
    title: `Load times by ${label.toLowerCase()}`,
    description: `How long pages took to load, by ${label.toLowerCase()}, most measured first. ${notMeasured}`,
    only: "page_load",
    shape: { kind: "table", dimensions: [dimension] },
    fields: [grouped("name", label), measured("sample_visitors", "visitors"), ...loadFields],
    defaultLimit: tableLimit,
  };
}

function vitalsBy(name: string, label: string, dimension: FieldName): QueryType {
  return {
    ...performance,
    name,
    title: `Web vitals by ${label.toLowerCase()}`,
    description: `Average and median of each web vital, by ${label.toLowerCase()}, most visitors first. ${notMeasured}`,
    only: "web_vital",
    shape: { kind: "table", dimensions: [dimension] },
    fields: [
      grouped("name", label),
      measured("sample_visitors", "visitors"),
      measured("avg_fcp"),
      measured("p50_fcp"),
      measured("avg_lcp"),
      measured("p50_lcp"),
      measured("avg_cls"),
      measured("p50_cls"),
      measured("avg_inp"),
      measured("avg_ttfb"),
      measured("samples", "measurements"),
    ],
    defaultLimit: tableLimit,
  };
}

/** How fast pages load, and the web vitals side by side. Times are milliseconds; CLS has no unit. */
export const performanceTypes: readonly QueryType[] = [
  {
    ...loadsBy("slow_pages", "Page", "path"),
    title: "Slow pages",
    description: `How long pages took to load, slowest on average first. ${notMeasured}`,
    shape: { kind: "table", dimensions: ["path"], largestFirst: "avg_load_time" },
  },
  loadsBy("performance_by_browser", "Browser", "browser_name"),
  loadsBy("performance_by_country", "Country", "country"),
  loadsBy("performance_by_os", "Operating system", "os_name"),
  loadsBy("performance_by_region", "Region", "region"),
  {
    ...performance,
    name: "performance_time_series",
    title: "Load times over time",
    description: `How long pages took to load, by day or hour. ${notMeasured}`,
    only: "page_load",
    shape: { kind: "series" },
    fields: [dateField, ...loadFields],
    defaultLimit: seriesLimit,
  },
  {
    ...performance,
    name: "load_time_performance",
    title: "Load time over time",
    description: `Average and median load time, by day or hour. ${notMeasured}`,
    only: "page_load",
    shape: { kind: "series" },
    fields: [dateField, measured("avg_load_time"), measured("p50_load_time"), measured("page_loads", "pageviews")],
    defaultLimit: seriesLimit,
  },
  vitalsBy("web_vitals_by_page", "Page", "path"),
  vitalsBy("web_vitals_by_browser", "Browser", "browser_name"),
  vitalsBy("web_vitals_by_country", "Country", "country"),
  vitalsBy("web_vitals_by_os", "Operating system", "os_name"),
  vitalsBy("web_vitals_by_region", "Region", "region"),
  {
    ...performance,
    name: "web_vitals_time_series",
    title: "Web vitals over time",
    description: `Average and median of each web vital, by day or hour. ${notMeasured}`,
    only: "web_vital",
    shape: { kind: "series" },
    fields: [
      dateField,
      measured("avg_fcp"),
      measured("p50_fcp"),
      measured("avg_lcp"),
      measured("p50_lcp"),
      measured("avg_cls"),
      measured("p50_cls"),
      measured("avg_inp"),
      measured("p50_inp"),
      measured("avg_ttfb"),
      measured("p50_ttfb"),
      measured("samples", "measurements"),
    ],
    defaultLimit: seriesLimit,
  },
];
