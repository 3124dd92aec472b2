import { define, type Group, series, table } from "./define.ts";
import { figures, grouped, measured, type OutputField, type QueryType, share, shown } from "./queryType.ts";

const visits = { category: "pages", isPublic: true, table: "events" } as const satisfies Group;
const views = { ...visits, only: "page_view" } as const;
const failures = { ...visits, only: "not_found" } as const;

const pathFields = [
  grouped("path", "Page"),
  grouped("name", "Page"),
  measured("pageviews", "views"),
  ...figures("pageviews", "visitors"),
  share("pageviews"),
];

function sessionPageFields(views: string): OutputField[] {
  return [
    grouped("path", "Page"),
    grouped("name", "Page"),
    { ...measured("sessions", "pageviews"), label: views },
    measured("session_visitors", "visitors"),
    measured("sessions"),
    { ...share("sessions"), label: "Share of all sessions" },
  ];
}

/** Figures by page. */
export const pageTypes: readonly QueryType[] = [
  table(
    views,
    "top_pages",
    "Top pages",
    "Page views and visitors of each path, most viewed first.",
    ["path"],
    pathFields,
  ),
  table(views, "pages", "Pages", "The same as top_pages.", ["path"], pathFields),
  table(
    failures,
    "not_found_pages",
    "Pages not found",
    "Views of pages that do not exist, as pages say with data-404 or the property notFound, by path, most viewed first.",
    ["path"],
    pathFields,
  ),
  table(
    views,
    "page_titles",
    "Page titles",
    "Page views and visitors of each page title, most viewed first.",
    ["title"],
    [grouped("name", "Title"), ...figures("pageviews", "visitors"), share("pageviews")],
  ),
  define(
    views,
    "entry_pages",
    "Entry pages",
    "Sessions by the path of their first page view. pageviews counts these first page views; percentage is the share of all sessions.",
    { kind: "table", dimensions: ["entry_page"] },
    sessionPageFields("First page views"),
  ),
  define(
    views,
    "exit_pages",
    "Exit pages",
    "Sessions by the path of their last page view. pageviews counts these last page views, the exits; percentage is the share of all sessions. For the part of a page's views that are exits divide by the pageviews of top_pages.",
    { kind: "table", dimensions: ["exit_page"] },
    sessionPageFields("Exits"),
  ),
  series(
    views,
    "page_time_series",
    "Page views and visitors over time",
    "Page views and visitors by day or hour; filter path for those of one page. value is the number of page views.",
    [measured("pageviews", "value"), ...figures("pageviews", "visitors")],
  ),
  define(
    visits,
    "page_performance",
    "Pages and time on them",
    "Page views, visitors and average time on page of each path, most viewed first. Null where no visit reported its time.",
    { kind: "page_visits", figure: "pageviews" },
    [
      shown("name", "Page", "text"),
      shown("pageviews", "Page views", "count"),
      shown("avg_time_on_page", "Average time on page", "figure", { unit: "s" }),
      shown("visitors", "Visitors", "count"),
    ],
  ),
  define(
    visits,
    "page_time_analysis",
    "Time on page",
    "Visits of each path with a reported time on page and its median, most visits first.",
    { kind: "page_visits", figure: "time" },
    [
      shown("name", "Page", "text"),
      shown("sessions_with_time", "Visits with a time", "count"),
      shown("visitors", "Visitors", "count"),
      shown("median_time_on_page", "Median time on page", "figure", { unit: "s" }),
      shown("percentage", "Share of visits with a time", "figure", { unit: "percent" }),
    ],
  ),
];
