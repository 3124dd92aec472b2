import { dateField, grouped, measured, type QueryType, seriesLimit, share, shown, tableLimit } from "./queryType.ts";

const pageTable = {
  category: "pages",
  isPublic: true,
  table: "events",
  only: "page_view",
  defaultLimit: tableLimit,
} as const;

const pageVisits = { category: "pages", isPublic: true, table: "events", defaultLimit: tableLimit } as const;

const pathFields = [
  grouped("path", "Page"),
  grouped("name", "Page"),
  measured("pageviews", "views"),
  measured("pageviews"),
  measured("visitors"),
  share("pageviews"),
];

const sessionPageFields = [
  grouped("path", "Page"),
  grouped("name", "Page"),
  measured("sessions", "pageviews"),
  measured("session_visitors", "visitors"),
  measured("sessions"),
  share("sessions"),
];

/** Figures by page. */
export const pageTypes: readonly QueryType[] = [
  {
    ...pageTable,
    name: "top_pages",
    title: "Top pages",
    description: "Page views and visitors of each path, most viewed first.",
    shape: { kind: "table", dimensions: ["path"] },
    fields: pathFields,
  },
  {
    ...pageTable,
    name: "pages",
    title: "Pages",
    description: "The same as top_pages.",
    shape: { kind: "table", dimensions: ["path"] },
    fields: pathFields,
  },
  {
    ...pageTable,
    name: "page_titles",
    title: "Page titles",
    description: "Page views and visitors of each page title, most viewed first.",
    shape: { kind: "table", dimensions: ["title"] },
    fields: [grouped("name", "Title"), measured("pageviews"), measured("visitors"), share("pageviews")],
  },
  {
    ...pageTable,
    name: "entry_pages",
    title: "Entry pages",
    description: "Sessions by the path of their first page view. pageviews counts these first page views.",
    shape: { kind: "table", dimensions: ["path"], sessionEnd: "first" },
    fields: sessionPageFields,
  },
  {
    ...pageTable,
    name: "exit_pages",
    title: "Exit pages",
    description: "Sessions by the path of their last page view. pageviews counts these last page views.",
    shape: { kind: "table", dimensions: ["path"], sessionEnd: "last" },
    fields: sessionPageFields,
  },
  {
    ...pageTable,
    name: "page_time_series",
    title: "Page views and visitors over time",
    description:
      "Page views and visitors by day or hour; filter path for those of one page. value is the number of page views.",
    shape: { kind: "series" },
    fields: [dateField, measured("pageviews", "value"), measured("pageviews"), measured("visitors")],
    defaultLimit: seriesLimit,
  },
  {
    ...pageVisits,
    name: "page_performance",
    title: "Pages and time on them",
    description:
      "Page views, visitors and average time on page of each path, most viewed first. Null where no visit reported its time.",
    shape: { kind: "page_visits", figure: "pageviews" },
    fields: [
      shown("name", "Page", "text"),
      shown("pageviews", "Page views", "count"),
      shown("avg_time_on_page", "Average time on page", "figure", { unit: "s" }),
      shown("visitors", "Visitors", "count"),
    ],
  },
  {
    ...pageVisits,
    name: "page_time_analysis",
    title: "Time on page",
    description: "Visits of each path with a reported time on page and its median, most visits first.",
    shape: { kind: "page_visits", figure: "time" },
    fields: [
      shown("name", "Page", "text"),
      shown("sessions_with_time", "Visits with a time", "count"),
      shown("visitors", "Visitors", "count"),
      shown("median_time_on_page", "Median time on page", "figure", { unit: "s" }),
      shown("percentage", "Share of visits with a time", "decimal", { unit: "percent" }),
    ],
  },
];
