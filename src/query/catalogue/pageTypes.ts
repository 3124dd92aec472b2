import { grouped, measured, type QueryType, share, tableLimit } from "./queryType.ts";

const pageTable = {
  category: "pages",
  isPublic: true,
  table: "events",
  only: "page_view",
  defaultLimit: tableLimit,
} as const;

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
];
