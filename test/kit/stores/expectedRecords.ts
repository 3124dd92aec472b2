import type { ClickRow, EventRow } from "../random/randomEventRows.ts";

/** A daily aggregation record as a reader of daily_aggregates sees it, referrers parsed. */
export type AggregateRecord = {
  readonly page: string;
  readonly total_views: number;
  readonly unique_visitors: number;
  readonly avg_duration_seconds: number;
  readonly bounce_rate: number;
  readonly top_referrers: readonly { readonly source: string; readonly count: number }[];
};

/** Records of one website and day by plain counting over its events; sorted by page in code units. */
export function expectedRecords(events: readonly EventRow[], clicks: readonly ClickRow[] = []): AggregateRecord[] {
  const ordered = [...events].sort((a, b) => a.tsUs - b.tsUs || a.event_key - b.event_key);
  const views = ordered.filter((event) => event.event_type === "page_view");
  const sourceOf = new Map<Activity, string>();
  const bouncesByEntry = new Map<string, boolean[]>();
  const sessions = sessionsOf(events, clicks);
  for (const event of ordered) sourceOf.set(event, event.referrer_source || "Direct");
  for (const session of sessions) {
    // A visit has the source of its first event that has one.
    const source = session.map(({ referrer_source }) => referrer_source).find(Boolean) ?? "Direct";
    for (const activity of session) sourceOf.set(activity, source);
    const entry = session.find((event) => event.event_type === "page_view");
    if (entry === undefined) continue;
    const page = entry.path ?? "";
    bouncesByEntry.set(page, [...(bouncesByEntry.get(page) ?? []), isBounce(session)]);
  }
  return [...Map.groupBy(views, (view) => view.path)]
    .map(([page, ofPage]) => {
      const visits = [
        ...sessions,
        ...ordered.filter(({ session_key }) => session_key === undefined).map((event) => [event]),
      ];
      const times = visits.flatMap((events) => longestTimeOn(page, events) ?? []);
      const bounces = bouncesByEntry.get(page) ?? [];
      return {
        page,
        total_views: ofPage.length,
        unique_visitors: new Set(ofPage.map((view) => view.visitor_key)).size,
        avg_duration_seconds: times.length === 0 ? 0 : Math.round(sum(times) / times.length) / 1_000,
        bounce_rate: bounces.length === 0 ? 0 : bounces.filter(Boolean).length / bounces.length,
        top_referrers: [...Map.groupBy(ofPage, (view) => sourceOf.get(view) ?? "")]
          .map(([source, from]) => ({ source, count: from.length }))
          .sort((a, b) => b.count - a.count || (a.source < b.source ? -1 : 1))
          .slice(0, 10),
      };
    })
    .sort((a, b) => (a.page < b.page ? -1 : 1));
}

type Activity = ClickRow & Partial<EventRow>;

/** Events and clicks with one session key and less than 30 minutes from one to the next. */
function sessionsOf(events: readonly EventRow[], clicks: readonly ClickRow[]): Activity[][] {
  const activities: Activity[] = [...events, ...clicks].filter(({ session_key }) => session_key !== undefined);
  activities.sort((a, b) => a.tsUs - b.tsUs || a.event_key - b.event_key);
  return [...Map.groupBy(activities, ({ session_key }) => session_key).values()].flatMap((ofKey) => {
    const sessions: Activity[][] = [];
    for (const [index, activity] of ofKey.entries()) {
      const pauseUs = activity.tsUs - (ofKey[index - 1]?.tsUs ?? Number.NEGATIVE_INFINITY);
      if (pauseUs < 1_800_000_000) sessions.at(-1)?.push(activity);
      else sessions.push([activity]);
    }
    // Ends of page views alone are no visit.
    return sessions.filter((session) => session.some(({ event_type }) => event_type !== "page_exit"));
  });
}

/** The longest time reported by a page view or its exit; undefined without one. */
function longestTimeOn(page: string, events: readonly Activity[]): number | undefined {
  const times = events
    .filter(({ path, event_type }) => path === page && (event_type === "page_view" || event_type === "page_exit"))
    .flatMap(({ time_on_page_ms }) => time_on_page_ms ?? []);
  return times.length === 0 ? undefined : Math.max(...times);
}

function isBounce(session: readonly Activity[]): boolean {
  const count = (type: string | undefined) => session.filter((event) => event.event_type === type).length;
  const times = session.map((event) => event.tsUs);
  const longestMs = Math.max(...session.map((event) => event.time_on_page_ms ?? 0));
  const spanUs = Math.max(...times) - Math.min(...times);
  // A click has no event type.
  if (count("custom") > 0 || count(undefined) > 0) return false;
  return count("page_view") === 1 && spanUs < 10_000_000 && longestMs < 10_000;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
