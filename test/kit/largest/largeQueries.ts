import { catalogue } from "../../../src/query/catalogue/catalogue.ts";

/** A body, and the query string beside `website_id`. */
export type LargeQuery = {
  readonly about: string;
  readonly body: object;
  readonly search?: string;
  /** Whether it is refused as a whole (400). */
  readonly isRefused?: boolean;
};

const range = { preset: "last_90d" };
/** Compares with the same rows, so that all of them are found. */
const range90 = { startDate: "2020-01-01", endDate: "2029-12-31" };
const bounds = { startDate: "2025-01-01", endDate: "2034-12-31" };
const paths = Array.from({ length: 500 }, (_, index) => `/page/${index}`);
/** 20,000 values, the most that one parameter may compare with. */
const filters = Array.from({ length: 40 }, () => ({ field: "path", op: "in", value: paths }));
const steps = Array.from({ length: 20 }, (_, index) => ({ page: { path: `/page/${index + 1}`, op: "starts_with" } }));
const types = [...catalogue.keys()];
const typesBy50 = Array.from({ length: Math.ceil(types.length / 50) }, (_, index) =>
  types.slice(index * 50, (index + 1) * 50),
);

/** Fifty queries with fifty parameters each, which fail only when they are planned, so only the service itself works on them. */
const batch = (parameter: object, unusable: readonly object[] = [{ field: "nosuch", op: "eq", value: "x" }]) =>
  Array.from({ length: 50 }, (_, index) => ({
    id: `query ${index}`,
    ...range,
    parameters: Array.from({ length: 50 }, () => ({ name: "summary_metrics", ...parameter })),
    filters: unusable,
  }));

/** The most expensive queries of events, by RPC: over many rows, with the highest limits and with the longest lists. */
export const largeQueries: Readonly<Record<string, readonly LargeQuery[]>> = {
  "lookout.v1.QueryService.Query": [
    ...typesBy50.map((parameters, index) => ({
      about: `types ${index}, 10,000 rows each`,
      body: { ...range, limit: 10_000, parameters },
    })),
    { about: "filters", body: { ...range, parameters: ["summary_metrics"], filters } },
    {
      about: "10,000 rows to compare",
      body: { ...range, limit: 10_000, parameters: ["pages", "events_by_date"], compare: range90 },
    },
    { about: "too many values", body: { ...range, parameters: types.slice(0, 50), filters }, isRefused: true },
    { about: "ten years of days", body: { ...bounds, limit: 10_000, parameters: ["events_by_date"] } },
    {
      about: "2,500 ranges",
      body: batch({ start_date: "2026-03-01T00:00:00Z", end_date: "2026-03-30T00:00:00Z", granularity: "hourly" }),
      search: "&timezone=Europe/Berlin",
    },
    {
      about: "2,500 ranges of ten years",
      body: batch({ start_date: bounds.startDate, end_date: bounds.endDate }),
      search: "&timezone=America/Sao_Paulo",
    },
    { about: "2,500 unknown types", body: batch({ name: "x".repeat(64) }), isRefused: true },
    { about: "2,500 wrong dates", body: batch({ start_date: "2026-13-13" }), isRefused: true },
    {
      about: "an unknown zone",
      body: batch({ start_date: "2026-03-01" }),
      search: "&timezone=Europe/Berlix",
      isRefused: true,
    },
  ],
  "lookout.v1.QueryService.CompileQuery": [
    { about: "filters", body: { type: "summary_metrics", from: "2026-01-01", to: "2026-03-31", filters } },
    { about: "ten years", body: { type: "page_views", from: "2016-01-01", to: "2025-12-31", timeUnit: "day" } },
  ],
  "lookout.v1.QueryService.CustomQuery": [
    {
      about: "10,000 rows",
      body: {
        query: {
          table: "events",
          selects: ["path", "properties", "title", "anonymous_id", "session_id"].map((field) => ({ field })),
          filters: filters.slice(0, 20).map(({ field, value }) => ({ field, operator: "not_in", value })),
        },
        startDate: "2020-01-01",
        endDate: "2029-12-31",
        limit: 10_000,
      },
    },
  ],
  "lookout.v1.FunnelService.AnalyzeFunnel": [
    {
      about: "ten steps",
      body: {
        ...range,
        steps: steps.slice(0, 10).map(() => ({ page: { path: "/", op: "contains" } })),
        splitBy: "path",
        splitLimit: 100,
      },
    },
    { about: "filters", body: { ...range, steps: steps.slice(0, 10), filters } },
  ],
  "lookout.v1.FunnelService.AnalyzeGoals": [
    {
      about: "20 goals by path and day",
      body: { ...range, goals: steps, splitBy: "path", splitLimit: 100, granularity: "daily" },
    },
    { about: "filters", body: { ...range, goals: steps, filters: filters.slice(0, 20) } },
  ],
  "lookout.v1.FunnelService.AnalyzeJourneys": [
    { about: "all pages", body: { ...range, limit: 1_000, length: 6 } },
    { about: "filters", body: { ...range, filters } },
  ],
};
