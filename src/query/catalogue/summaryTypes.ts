import { dateField, measured, type QueryType, seriesLimit, tableLimit } from "./queryType.ts";

type Given = Pick<QueryType, "name" | "title" | "description" | "fields"> & Partial<QueryType>;

const summary = (type: Given): QueryType => ({
  category: "summary",
  isPublic: true,
  table: "events",
  shape: { kind: "summary" },
  defaultLimit: tableLimit,
  ...type,
});

const series = (type: Given): QueryType => ({
  category: "summary",
  isPublic: true,
  table: "events",
  shape: { kind: "series" },
  defaultLimit: seriesLimit,
  ...type,
  fields: [dateField, ...type.fields],
});

/** Figures of a whole range, and the same figures by day or hour. */
export const summaryTypes: readonly QueryType[] = [
  summary({
    name: "summary_metrics",
    title: "Summary",
    description: "The main figures of the range in one row.",
    fields: [
      measured("pageviews"),
      measured("visitors", "unique_visitors"),
      measured("sessions"),
      measured("bounce_rate"),
      measured("avg_session_duration"),
      measured("median_session_duration"),
      measured("pages_per_session"),
      measured("total_events"),
    ],
  }),
  summary({
    name: "today_metrics",
    title: "Today",
    description: "Page views, visitors and sessions of today, whatever range is sent.",
    period: "today",
    fields: [measured("pageviews"), measured("visitors"), measured("sessions")],
  }),
  summary({
    name: "active_stats",
    title: "Active now",
    description: "Visitors and sessions of the last 5 minutes, whatever range is sent.",
    period: { minutes: 5 },
    fields: [measured("visitors", "active_users"), measured("active_sessions")],
  }),
  series({
    name: "events_by_date",
    title: "Traffic over time",
    description: "The main figures by day or hour. value is the number of events: page views and custom events.",
    fields: [
      measured("total_events", "value"),
      measured("pageviews"),
      measured("visitors"),
      measured("sessions"),
      measured("bounce_rate"),
      measured("avg_session_duration"),
      measured("median_session_duration"),
      measured("pages_per_session"),
    ],
  }),
  series({
    name: "page_views",
    title: "Page views over time",
    description: "Page views by day or hour.",
    fields: [measured("pageviews", "value")],
  }),
  series({
    name: "visitors",
    title: "Visitors over time",
    description: "Distinct visitors of each day or hour; a visitor of two days counts on both.",
    fields: [measured("visitors", "value")],
  }),
  series({
    name: "sessions",
    title: "Sessions over time",
    description: "Sessions by the day or hour of their first event.",
    fields: [measured("sessions", "value")],
  }),
  series({
    name: "bounce_rate",
    title: "Bounce rate over time",
    description: "Share of sessions with one page view, under 10 s and nothing else, by the day or hour they began.",
    fields: [measured("bounce_rate", "value")],
  }),
  series({
    name: "session_duration",
    title: "Session duration over time",
    description: "Average duration of sessions by the day or hour they began.",
    fields: [measured("avg_session_duration", "value")],
  }),
  summary({
    name: "session_metrics",
    title: "Session figures",
    description: "Number, duration and bounce rate of sessions in one row.",
    category: "sessions",
    fields: [
      measured("sessions", "total_sessions"),
      measured("avg_session_duration"),
      measured("median_session_duration"),
      measured("bounce_rate"),
      measured("pages_per_session"),
      measured("session_events", "total_events"),
    ],
  }),
  series({
    name: "sessions_time_series",
    title: "Sessions and their visitors over time",
    description: "Sessions, their visitors and average duration by the day or hour they began.",
    category: "sessions",
    fields: [measured("sessions"), measured("session_visitors", "visitors"), measured("avg_session_duration")],
  }),
  summary({
    name: "custom_events_summary",
    title: "Custom events in total",
    description: "Custom events, their names, visitors, sessions and pages in one row.",
    category: "custom-events",
    isPublic: false,
    only: "custom",
    fields: [
      measured("custom_events", "total_events"),
      measured("event_names", "unique_event_types"),
      measured("visitors", "unique_users"),
      measured("active_sessions", "unique_sessions"),
      measured("paths", "unique_pages"),
    ],
  }),
  series({
    name: "custom_events_trends",
    title: "Custom events over time",
    description: "Custom events, their names, visitors, sessions and pages by day or hour.",
    category: "custom-events",
    isPublic: false,
    only: "custom",
    fields: [
      measured("custom_events", "total_events"),
      measured("event_names", "unique_event_types"),
      measured("visitors", "unique_users"),
      measured("active_sessions", "unique_sessions"),
      measured("paths", "unique_pages"),
    ],
  }),
];
