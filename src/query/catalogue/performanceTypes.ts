import type { FieldName } from "../sql/fields.ts";
import { type Group, series, table } from "./define.ts";
import { figures, grouped, measured, type OutputField, type QueryType } from "./queryType.ts";

const pages = { category: "performance", isPublic: true, table: "performance_metrics" } as const satisfies Group;
const loads = { ...pages, only: "page_load" } as const;
const vitals = { ...pages, only: "web_vital" } as const;

const notMeasured = "A figure that was not measured is null.";

const loadFields: readonly OutputField[] = [
  ...figures("avg_load_time", "p50_load_time", "avg_ttfb", "avg_dom_ready_time", "avg_render_time"),
  measured("page_loads", "pageviews"),
];

function loadsBy(name: string, label: string, dimension: FieldName): QueryType {
  const by = label.toLowerCase();
  const description = `How long pages took to load, by ${by}, most measured first. ${notMeasured}`;
  const fields = [grouped("name", label), measured("sample_visitors", "visitors"), ...loadFields];
  return table(loads, name, `Load times by ${by}`, description, [dimension], fields);
}

function vitalsBy(name: string, label: string, dimension: FieldName): QueryType {
  const by = label.toLowerCase();
  const description = `Average and median of each web vital, by ${by}, most visitors first. ${notMeasured}`;
  return table(
    vitals,
    name,
    `Web vitals by ${by}`,
    description,
    [dimension],
    [
      grouped("name", label),
      measured("sample_visitors", "visitors"),
      ...figures("avg_fcp", "p50_fcp", "avg_lcp", "p50_lcp", "avg_cls", "p50_cls", "avg_inp", "avg_ttfb"),
      measured("samples", "measurements"),
    ],
  );
}

/** How fast pages load, and the web vitals side by side. Times are milliseconds; CLS is a score. */
export const performanceTypes: readonly QueryType[] = [
  {
    ...loadsBy("slow_pages", "Page", "path"),
    title: "Slow pages",
    description: `How long pages took to load, slowest on average first. ${notMeasured} What visitors wait for is measured by vitals_by_page.`,
    shape: { kind: "table", dimensions: ["path"], largestFirst: "avg_load_time" },
  },
  loadsBy("performance_by_browser", "Browser", "browser_name"),
  loadsBy("performance_by_country", "Country", "country"),
  loadsBy("performance_by_os", "Operating system", "os_name"),
  loadsBy("performance_by_region", "Region", "region"),
  series(
    loads,
    "performance_time_series",
    "Load times over time",
    `How long pages took to load, by day or hour. ${notMeasured}`,
    loadFields,
  ),
  series(
    loads,
    "load_time_performance",
    "Load time over time",
    `Average and median load time, by day or hour. ${notMeasured}`,
    [...figures("avg_load_time", "p50_load_time"), measured("page_loads", "pageviews")],
  ),
  vitalsBy("web_vitals_by_page", "Page", "path"),
  vitalsBy("web_vitals_by_browser", "Browser", "browser_name"),
  vitalsBy("web_vitals_by_country", "Country", "country"),
  vitalsBy("web_vitals_by_os", "Operating system", "os_name"),
  vitalsBy("web_vitals_by_region", "Region", "region"),
  series(
    vitals,
    "web_vitals_time_series",
    "Web vitals over time",
    `Average and median of each web vital, by day or hour. ${notMeasured}`,
    [
      ...figures(
        "avg_fcp",
        "p50_fcp",
        "avg_lcp",
        "p50_lcp",
        "avg_cls",
        "p50_cls",
        "avg_inp",
        "p50_inp",
        "avg_ttfb",
        "p50_ttfb",
      ),
      measured("samples", "measurements"),
    ],
  ),
];
