import { type QueryType, seriesLimit, shown, tableLimit } from "./queryType.ts";

const engagementType = { category: "engagement", isPublic: true, table: "events", defaultLimit: tableLimit } as const;

const percent = { unit: "percent" } as const;

/** How far visitors read, what they do on pages and whether they return. */
export const engagementTypes: readonly QueryType[] = [
  {
    ...engagementType,
    name: "scroll_depth_summary",
    title: "Scroll depth",
    description: "Average of the largest scroll depth of each visit of a page, and how many sessions reported one.",
    shape: { kind: "engagement" },
    fields: [
      shown("avg_scroll_depth", "Average scroll depth", "figure", percent),
      shown("total_sessions", "Sessions with a scroll depth", "count", { column: "scroll_sessions" }),
      shown("visitors", "Their visitors", "count"),
    ],
  },
  {
    ...engagementType,
    name: "scroll_depth_distribution",
    title: "Scroll depths",
    description: "Sessions by their largest scroll depth on any page, by quarters of the page.",
    shape: { kind: "scroll_depths" },
    fields: [
      shown("depth_range", "Scroll depth", "text"),
      shown("visitors", "Visitors", "count"),
      shown("sessions", "Sessions", "count"),
      shown("percentage", "Share of sessions", "figure", percent),
    ],
  },
  {
    ...engagementType,
    name: "page_scroll_performance",
    title: "Scroll depth by page",
    description: "Average of the largest scroll depth of each visit of a page, most sessions first.",
    shape: { kind: "page_visits", figure: "scroll" },
    fields: [
      shown("name", "Page", "text"),
      shown("avg_scroll_depth", "Average scroll depth", "figure", percent),
      shown("visitors", "Visitors", "count"),
      shown("sessions", "Sessions", "count"),
      shown("pageviews", "Page views", "count"),
    ],
  },
  {
    ...engagementType,
    name: "interaction_summary",
    title: "Interactions",
    description: "Interactions of the sessions that reported their number, and how many of these sessions had any.",
    shape: { kind: "engagement" },
    fields: [
      shown("avg_interactions", "Interactions per session", "figure", { unit: "interactions per session" }),
      shown("interactive_sessions", "Sessions with interactions", "count"),
      shown("interaction_rate", "Share of sessions with interactions", "figure", percent),
      shown("total_sessions", "Sessions that reported interactions", "count", { column: "interaction_sessions" }),
    ],
  },
  {
    ...engagementType,
    name: "retention_cohorts",
    title: "Retention by week",
    description:
      "Visitors by the week of their first event in the range, and the share that had events in each of the next weeks. Null for weeks after the range.",
    shape: { kind: "retention_cohorts" },
    fields: [
      shown("cohort", "Monday of the first week", "text"),
      shown("users", "Visitors", "count"),
      ...[0, 1, 2, 3, 4, 5].map((week) =>
        shown(
          `week_${week}_retention`,
          `Seen ${week === 0 ? "in the first week" : `${week} weeks later`}`,
          "figure",
          percent,
        ),
      ),
    ],
  },
  {
    ...engagementType,
    name: "retention_rate",
    title: "New and returning visitors over time",
    description:
      "Visitors of each day or hour: new where it has their first event in the range, else returning. The rate is the share of returning ones.",
    shape: { kind: "retention_rate" },
    defaultLimit: seriesLimit,
    fields: [
      shown("date", "Date", "text"),
      shown("new_users", "New visitors", "count"),
      shown("returning_users", "Returning visitors", "count"),
      shown("retention_rate", "Share of returning visitors", "figure", percent),
    ],
  },
];
