import { grouped, measured, type OutputField, type QueryType, tableLimit } from "./queryType.ts";

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
];
