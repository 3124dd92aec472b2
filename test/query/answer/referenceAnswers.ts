import type { SampleEvent, SampleLink } from "../../kit/random/randomEvents.ts";

/**
 * Answers calculated from the definitions in plain loops, sharing nothing with the service: local times come from Intl, not from the
 * service's time zone arithmetic, and nothing is SQL.
 */
export type Sample = {
  events: readonly SampleEvent[];
  links: readonly SampleLink[];
  /** Events that decide where sessions end, when `events` are only some of them. */
  allEvents?: readonly SampleEvent[];
};

export type Query = {
  startMs: number;
  endMs: number;
  zone: string;
  unit: "day" | "hour";
  isFiltered: boolean;
  filter: (event: SampleEvent) => boolean;
};

export type AnswerRow = Record<string, string | number | null>;

export type Session = {
  startMs: number;
  visitor: number | null;
  events: SampleEvent[];
  links: SampleLink[];
  pageViews: number;
  actions: number;
  seconds: number;
  bounced: boolean;
};

const isView = (event: SampleEvent) => event.event_type === "page_view";
const isCustom = (event: SampleEvent) => event.event_type === "custom";
const distinct = (values: readonly (number | string | null)[]) =>
  new Set(values.filter((value) => value !== null)).size;
const round = (value: number) => Math.round(value * 100) / 100;

/**
 * The number of the session of every event and link in the range: those with one session key and less than 30 minutes from one to the
 * next. No session in the sample fills a whole day.
 */
function sessionNumbers(sample: Sample, { startMs, endMs }: Query): ReadonlyMap<SampleEvent | SampleLink, number> {
  const activities = [...(sample.allEvents ?? sample.events), ...sample.links]
    .filter(({ tsMs, session_key }) => tsMs >= startMs && tsMs < endMs && session_key !== null)
    .sort((a, b) => a.tsMs - b.tsMs);
  const numbers = new Map<SampleEvent | SampleLink, number>();
  let sessions = 0;
  for (const ofKey of Map.groupBy(activities, ({ session_key }) => session_key).values())
    for (const [index, activity] of ofKey.entries()) {
      const before = ofKey[index - 1];
      if (before === undefined || activity.tsMs - before.tsMs >= 1_800_000) sessions++;
      numbers.set(activity, sessions);
    }
  return numbers;
}

/** Whether an activity makes its session count in its group. */
const isAct = (event: SampleEvent) => event.event_type !== "page_exit";

const isEvent = (activity: SampleEvent | SampleLink): activity is SampleEvent => "event_type" in activity;

export function sessionsOf(
  sample: Sample,
  query: Query,
  only: (activity: SampleEvent | SampleLink) => boolean = () => true,
): Session[] {
  const numbers = sessionNumbers(sample, query);
  return [...Map.groupBy(numbers.keys(), (activity) => numbers.get(activity)).values()].flatMap((all) => {
    const activities = all.filter(only);
    const events = activities.filter(isEvent);
    const links = activities.filter((activity): activity is SampleLink => !isEvent(activity));
    const clicks = links.length;
    const pageViews = events.filter(isView).length;
    const actions = events.filter(isCustom).length;
    const isChosen = !query.isFiltered || events.some(query.filter);
    if (pageViews + actions + clicks === 0 || !isChosen) return [];
    const times = activities.map(({ tsMs }) => tsMs);
    const first = Math.min(...times);
    const stays = events.map(({ time_on_page_ms }) => time_on_page_ms ?? 0).filter((ms) => ms < 1_800_000);
    const seconds = Math.max(Math.max(...times) - first, ...stays) / 1000;
    const bounced = pageViews === 1 && actions === 0 && seconds < 10 && clicks === 0;
    const visitor = activities[0]?.visitor_key ?? null;
    return { startMs: first, visitor, events, links, pageViews, actions, seconds, bounced };
  });
}

function rowsOf(sample: Sample, { startMs, endMs, filter }: Query): SampleEvent[] {
  return sample.events.filter((event) => event.tsMs >= startMs && event.tsMs < endMs && filter(event));
}

const mean = (values: readonly number[]) =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

function figures(events: readonly SampleEvent[], sessions: readonly Session[]) {
  return {
    pageviews: events.filter(isView).length,
    visitors: distinct(events.map(({ visitor_key }) => visitor_key)),
    sessions: sessions.length,
    bounce_rate: round(mean(sessions.map(({ bounced }) => (bounced ? 100 : 0)))),
    avg_session_duration: round(mean(sessions.map(({ seconds }) => seconds))),
    median_session_duration: middle(sessions.map(({ seconds }) => seconds)),
    pages_per_session: round(mean(sessions.map(({ pageViews }) => pageViews))),
    total_events: events.filter((event) => isView(event) || isCustom(event)).length,
  };
}

/** The lower of the middle values. */
function middle(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return round(sorted[Math.ceil(sorted.length / 2) - 1] ?? 0);
}

export function summary(sample: Sample, query: Query): AnswerRow[] {
  const { visitors, ...rest } = figures(rowsOf(sample, query), sessionsOf(sample, query));
  return [{ ...rest, unique_visitors: visitors }];
}

export function eventsByDate(sample: Sample, query: Query): AnswerRow[] {
  const sessions = Map.groupBy(sessionsOf(sample, query), ({ startMs }) => bucketOf(startMs, query));
  const events = Map.groupBy(rowsOf(sample, query), ({ tsMs }) => bucketOf(tsMs, query));
  return bucketsOf(query).map((date) => {
    const row = figures(events.get(date) ?? [], sessions.get(date) ?? []);
    return {
      date,
      value: row.total_events,
      ...Object.fromEntries(Object.entries(row).filter(([name]) => name !== "total_events")),
    };
  });
}

/** Names of all buckets of a query, found by walking through it in quarters of an hour. */
function bucketsOf(query: Query): string[] {
  const names = new Set<string>();
  for (let ms = query.startMs; ms < query.endMs; ms += 900_000) names.add(bucketOf(ms, query));
  return [...names];
}

function bucketOf(ms: number, { zone, unit }: Query): string {
  const parts = formatOf(zone).formatToParts(ms);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? "";
  const day = `${part("year")}-${part("month")}-${part("day")}`;
  if (unit === "day") return day;
  const offset = part("timeZoneName").replace("GMT", "");
  return `${day}T${part("hour")}:00:00${offset === "" || offset === "+00:00" ? "Z" : offset}`;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      hourCycle: "h23",
      timeZoneName: "longOffset",
    });
  formats.set(zone, format);
  return format;
}

type Key = (event: SampleEvent) => string | null;

/** A table by a field of events; events other than page views count only if they have the field. */
export function audience(sample: Sample, query: Query, key: Key, whenEmpty: string): AnswerRow[] {
  const numbers = sessionNumbers(sample, query);
  const events = rowsOf(sample, query).filter((event) => isView(event) || Boolean(key(event)));
  const total = events.filter(isView).length;
  return sorted(
    [...Map.groupBy(events, (event) => key(event) || whenEmpty)].map(([name, group]) => ({
      name,
      pageviews: group.filter(isView).length,
      visitors: distinct(group.map(({ visitor_key }) => visitor_key)),
      sessions: distinct(group.filter(isAct).map((event) => numbers.get(event) ?? null)),
      percentage: total === 0 ? 0 : round((100 * group.filter(isView).length) / total),
    })),
    ["pageviews", "visitors", "sessions"],
  );
}

export function pages(sample: Sample, query: Query): AnswerRow[] {
  const events = rowsOf(sample, query).filter(isView);
  return sorted(
    [...Map.groupBy(events, ({ path }) => path || "Unknown")].map(([path, group]) => ({
      path,
      name: path,
      views: group.length,
      pageviews: group.length,
      visitors: distinct(group.map(({ visitor_key }) => visitor_key)),
      percentage: round((100 * group.length) / events.length),
    })),
    ["views", "visitors"],
  );
}

export function sessionPages(sample: Sample, query: Query, end: "first" | "last"): AnswerRow[] {
  const sessions = sessionsOf(sample, query, (activity) => isEvent(activity) && isView(activity));
  const pathOf = ({ events }: Session) => events.at(end === "first" ? 0 : -1)?.path || "Unknown";
  return sorted(
    [...Map.groupBy(sessions, pathOf)].map(([path, group]) => ({
      path,
      name: path,
      pageviews: group.length,
      visitors: distinct(group.map(({ visitor }) => visitor)),
      sessions: group.length,
      percentage: round((100 * group.length) / sessions.length),
    })),
    ["sessions", "visitors"],
  );
}

export function sessionsByDevice(sample: Sample, query: Query): AnswerRow[] {
  const sessions = sessionsOf(sample, query);
  const deviceOf = ({ events }: Session) => events.find(({ device }) => device)?.device ?? "Unknown";
  return sorted(
    [...Map.groupBy(sessions, deviceOf)].map(([name, group]) => ({
      name,
      sessions: group.length,
      visitors: distinct(group.map(({ visitor }) => visitor)),
      avg_session_duration: round(mean(group.map(({ seconds }) => seconds))),
      bounce_rate: round(mean(group.map(({ bounced }) => (bounced ? 100 : 0)))),
      percentage: round((100 * group.length) / sessions.length),
    })),
    ["sessions", "visitors"],
  );
}

export function customEvents(sample: Sample, query: Query): AnswerRow[] {
  const numbers = sessionNumbers(sample, query);
  const events = rowsOf(sample, query).filter(isCustom);
  return sorted(
    [...Map.groupBy(events, ({ name }) => name)].map(([name, group]) => ({
      name,
      total_events: group.length,
      count: group.length,
      visitors: distinct(group.map(({ visitor_key }) => visitor_key)),
      unique_users: distinct(group.map(({ visitor_key }) => visitor_key)),
      unique_sessions: distinct(group.filter(isAct).map((event) => numbers.get(event) ?? null)),
      first_occurrence: new Date(Math.min(...group.map(({ tsMs }) => tsMs))).toISOString(),
      last_occurrence: new Date(Math.max(...group.map(({ tsMs }) => tsMs))).toISOString(),
      events_with_properties: group.filter(({ properties }) => properties !== null).length,
      percentage: round((100 * group.length) / events.length),
    })),
    ["count", "visitors", "unique_sessions", "events_with_properties"],
  );
}

export function outboundDomains(sample: Sample, { startMs, endMs }: Query): AnswerRow[] {
  const links = sample.links.filter(({ tsMs }) => tsMs >= startMs && tsMs < endMs);
  return sorted(
    [...Map.groupBy(links, ({ href }) => new URL(href).host)].map(([domain, group]) => ({
      domain,
      total_clicks: group.length,
      unique_users: distinct(group.map(({ visitor_key }) => visitor_key)),
      unique_links: distinct(group.map(({ href }) => href)),
      percentage: round((100 * group.length) / links.length),
    })),
    ["total_clicks", "unique_users", "unique_links"],
  );
}

/** Largest first by these figures, then by the group's name. */
function sorted(rows: AnswerRow[], figureNames: readonly string[]): AnswerRow[] {
  const nameOf = (row: AnswerRow) => Buffer.from(String(row["name"] ?? row["domain"]));
  return rows.sort((a, b) => {
    for (const figure of figureNames) {
      const difference = Number(b[figure]) - Number(a[figure]);
      if (difference !== 0) return difference;
    }
    return Buffer.compare(nameOf(a), nameOf(b));
  });
}
