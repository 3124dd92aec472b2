import type { MeasureName } from "../sql/measures.ts";

/** What the main figures mean, for people who read them: in the catalogue of query types, the web app and the docs. */
export const definitions: Readonly<Partial<Record<MeasureName, string>>> = {
  visitors:
    "Distinct visitors, whatever they did. Across days a returning visitor counts again, since visitors are not recognized for longer.",
  pageviews:
    "Pages that were opened, and screens of apps. The same page twice counts twice, at the time when its visit began.",
  sessions:
    "Visits: what one visitor did without a pause of 30 minutes or more. A visit belongs to the time when it began, with all of its pages and events.",
  bounce_rate:
    "Share of visits with a single page view, under 10 seconds, without a custom event or an outgoing link. No value without a visit.",
  avg_session_duration:
    "Average time from a visit's first to its last event, or its longest time on a page if that is more. No value without a visit.",
  median_session_duration:
    "Half of the visits are longer than this, half are shorter. From a visit's first to its last event, or its longest time on a page if that is more. No value without a visit.",
  pages_per_session: "Average page views of a visit. No value without a visit, nor while pages or events are filtered.",
  total_events: "Page views and custom events. Leaving a page is none.",
  custom_events: "Events that the website sends itself, such as a sign-up.",
  link_clicks: "Times a short link was followed, without crawlers.",
  errors: "Errors in scripts on pages, each time they happened.",
  uptime_percentage: "Share of checks that found the monitor up or degraded, among those whose result is known.",
};
