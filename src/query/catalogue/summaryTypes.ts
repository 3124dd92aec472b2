import { type Group, series, summary } from "./define.ts";
import { figures, measured, type QueryType } from "./queryType.ts";

const all = { category: "summary", isPublic: true, table: "events" } as const satisfies Group;
const sessions = { ...all, category: "sessions" } as const;
const custom = { ...all, category: "custom-events", isPublic: false, only: "custom" } as const;

const sessionFigures = [
  ...figures("sessions", "bounce_rate", "avg_session_duration", "median_session_duration", "pages_per_session"),
];

const customFigures = [
  measured("custom_events", "total_events"),
  measured("event_names", "unique_event_types"),
  measured("visitors", "unique_users"),
  measured("active_sessions", "unique_sessions"),
  measured("paths", "unique_pages"),
];

/** Figures of a whole range, and the same figures by day or hour. */
export const summaryTypes: readonly QueryType[] = [
  summary(all, "summary_metrics", "Summary", "The main figures of the range in one row.", [
    measured("pageviews"),
    measured("visitors", "unique_visitors"),
    ...sessionFigures,
    measured("total_events"),
  ]),
  summary(
    all,
    "today_metrics",
    "Today",
    "Page views, visitors and sessions of today, whatever range is sent.",
    figures("pageviews", "visitors", "sessions"),
    { period: "today" },
  ),
  summary(
    all,
    "active_stats",
    "Active now",
    "Visitors and sessions of the last 5 minutes, whatever range is sent.",
    [measured("visitors", "active_users"), measured("active_sessions")],
    { period: { minutes: 5 } },
  ),
  series(
    all,
    "events_by_date",
    "Traffic over time",
    "The main figures by day or hour. value is the number of events: page views and custom events.",
    [measured("total_events", "value"), ...figures("pageviews", "visitors"), ...sessionFigures],
  ),
  series(all, "page_views", "Page views over time", "Page views by day or hour.", [measured("pageviews", "value")]),
  series(
    all,
    "visitors",
    "Visitors over time",
    "Distinct visitors of each day or hour; a visitor of two days counts on both.",
    [measured("visitors", "value")],
  ),
  series(all, "sessions", "Sessions over time", "Sessions by the day or hour of their first event.", [
    measured("sessions", "value"),
  ]),
  series(
    all,
    "bounce_rate",
    "Bounce rate over time",
    "Share of sessions with one page view, under 10 s and nothing else, by the day or hour they began.",
    [measured("bounce_rate", "value")],
  ),
  series(
    all,
    "session_duration",
    "Session duration over time",
    "Average duration of sessions by the day or hour they began.",
    [measured("avg_session_duration", "value")],
  ),
  summary(sessions, "session_metrics", "Session figures", "Number, duration and bounce rate of sessions in one row.", [
    measured("sessions", "total_sessions"),
    ...figures("avg_session_duration", "median_session_duration", "bounce_rate", "pages_per_session", "total_events"),
  ]),
  series(
    sessions,
    "sessions_time_series",
    "Sessions and their visitors over time",
    "Sessions, their visitors and average duration by the day or hour they began.",
    [measured("sessions"), measured("session_visitors", "visitors"), measured("avg_session_duration")],
  ),
  summary(
    custom,
    "custom_events_summary",
    "Custom events in total",
    "Custom events, their names, visitors, sessions and pages in one row.",
    customFigures,
  ),
  series(
    custom,
    "custom_events_trends",
    "Custom events over time",
    "Custom events, their names, visitors, sessions and pages by day or hour.",
    customFigures,
  ),
];
