import type { SampleEvent, SampleLink } from "../../kit/random/randomEvents.ts";

/**
 * Answers calculated from the definitions in plain loops, sharing nothing with the service: local times come from Intl, not from the
 * service's time zone arithmetic, and nothing is SQL.
 */
export type Sample = {
  readonly events: readonly SampleEvent[];
  readonly links: readonly SampleLink[];
};

export type Query = {
  readonly startMs: number;
  readonly endMs: number;
  readonly zone: string;
  readonly unit: "day" | "hour";
  /** Whether the filters on event fields select an event; undefined without such a filter. */
  readonly event?: ((event: SampleEvent) => boolean) | undefined;
  /** Whether the filters on visit fields select a visit with these values, or an event of no visit. */
  readonly visit?: ((values: VisitValues) => boolean) | undefined;
};

export type AnswerRow = Record<string, string | number | null>;

const textsOfVisits = [
  "session_id",
  "anonymous_id",
  "country",
  "region",
  "browser",
  "device",
  "referrer",
  "referrer_source",
  "referrer_group",
  "utm_source",
  "utm_medium",
  "utm_campaign",
  "utm_term",
  "utm_content",
] as const;

/** What a visit shares with its events: each value is that of the first event that has one. */
export type VisitValues = Pick<SampleEvent, (typeof textsOfVisits)[number]>;

/** What one visitor did without a pause of 30 minutes, with all of its events and outgoing links in order. */
export type Visit = {
  readonly startMs: number;
  readonly endMs: number;
  readonly visitor: number | null;
  readonly events: readonly SampleEvent[];
  readonly links: readonly SampleLink[];
  readonly values: VisitValues;
  readonly pageViews: number;
  readonly actions: number;
  readonly seconds: number;
  readonly bounced: boolean;
};

export const isView = (event: SampleEvent) => event.event_type === "page_view";
export const isCustom = (event: SampleEvent) => event.event_type === "custom";
const isExit = (event: SampleEvent) => event.event_type === "page_exit";
const isEvent = (activity: SampleEvent | SampleLink): activity is SampleEvent => "event_type" in activity;
const distinct = (values: readonly unknown[]) =>
  new Set(values.filter((value) => value !== null && value !== undefined)).size;
const round = (value: number) => Math.round(value * 100) / 100;
const share = (part: number, whole: number) => (whole === 0 ? 0 : round((100 * part) / whole));

/**
 * Visits: the activities with one session key and less than 30 minutes from one to the next, unless all of them are page exits. No visit of
 * a sample fills a whole day.
 */
export function visitsOf({ events, links }: Sample): Visit[] {
  const activities = [...events, ...links]
    .filter(({ session_key }) => session_key !== null)
    .sort((a, b) => a.tsMs - b.tsMs);
  const visits: Visit[] = [];
  for (const ofKey of Map.groupBy(activities, ({ session_key }) => session_key).values()) {
    let first = 0;
    for (const [index, activity] of ofKey.entries()) {
      const next = ofKey[index + 1];
      if (next !== undefined && next.tsMs - activity.tsMs < 1_800_000) continue;
      const all = ofKey.slice(first, index + 1);
      if (!all.every((one) => isEvent(one) && isExit(one))) visits.push(visitOf(all));
      first = index + 1;
    }
  }
  return visits;
}

function visitOf(activities: readonly (SampleEvent | SampleLink)[]): Visit {
  const events = activities.filter(isEvent);
  const links = activities.filter((activity): activity is SampleLink => !isEvent(activity));
  const startMs = activities[0]?.tsMs ?? 0;
  const endMs = activities.at(-1)?.tsMs ?? 0;
  const pageViews = events.filter(isView).length;
  const actions = events.filter(isCustom).length;
  const stays = events.map(({ time_on_page_ms }) => time_on_page_ms ?? 0).filter((ms) => ms < 1_800_000);
  const seconds = Math.max(endMs - startMs, ...stays) / 1000;
  const bounced = pageViews === 1 && actions === 0 && seconds < 10 && links.length === 0;
  const visitors = activities.flatMap(({ visitor_key }) => visitor_key ?? []);
  const visitor = visitors.length === 0 ? null : Math.max(...visitors);
  // Links of samples may carry ids too.
  const ids = activities as readonly Partial<VisitValues>[];
  const firstOf = (name: (typeof textsOfVisits)[number]) => {
    const bearers = name === "session_id" || name === "anonymous_id" ? ids : events;
    return bearers.map((one) => one[name]).find((value) => value && !(name === "referrer_group" && value === "direct"));
  };
  // Object.fromEntries forgets the names of the keys.
  const values = Object.fromEntries(textsOfVisits.map((name) => [name, firstOf(name) ?? null])) as VisitValues;
  return { startMs, endMs, visitor, events, links, values, pageViews, actions, seconds, bounced };
}

const isIn = ({ startMs, endMs }: Query, ms: number) => ms >= startMs && ms < endMs;

/** The visits that began in the range and that the filters select: those on event fields the visits with such an event, each whole. */
export function selectedVisits(sample: Sample, query: Query): Visit[] {
  return visitsOf(sample).filter(
    ({ startMs, values, events }) =>
      isIn(query, startMs) &&
      (query.visit === undefined || query.visit(values)) &&
      (query.event === undefined || events.some((event) => isSelected(event, query))),
  );
}

/** Whether the filters on event fields select an event. The end of a page view is not one that counts. */
export function isSelected(event: SampleEvent, { event: accepts }: Query): boolean {
  return !isExit(event) && (accepts === undefined || accepts(event));
}

/** An event that a query counts, and its visit. An event of no visit counts at its own time and with its own values. */
type Counted<Activity> = { readonly of: Activity; readonly visit: Visit | undefined; readonly atMs: number };

function countedEvents(sample: Sample, query: Query): Counted<SampleEvent>[] {
  const ofVisits = selectedVisits(sample, query).flatMap((visit) =>
    visit.events.map((of) => ({ of, visit, atMs: visit.startMs })),
  );
  const others = sample.events
    .filter(
      (event) =>
        event.session_key === null && isIn(query, event.tsMs) && (query.visit === undefined || query.visit(event)),
    )
    .map((of) => ({ of, visit: undefined, atMs: of.tsMs }));
  return [...ofVisits, ...others].filter(({ of }) => isSelected(of, query));
}

const mean = (values: readonly number[]) =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
const roundedMean = (values: readonly number[]) => {
  const found = mean(values);
  return found === null ? null : round(found);
};
const bounceRate = (visits: readonly Visit[]) => roundedMean(visits.map(({ bounced }) => (bounced ? 100 : 0)));
const visitorsOf = (visits: readonly Visit[]) => distinct(visits.map(({ visitor }) => visitor));

function figures(events: readonly SampleEvent[], visits: readonly Visit[], query: Query) {
  return {
    pageviews: events.filter(isView).length,
    visitors: visitorsOf(visits),
    sessions: visits.length,
    bounce_rate: bounceRate(visits),
    avg_session_duration: roundedMean(visits.map(({ seconds }) => seconds)),
    median_session_duration: middle(visits.map(({ seconds }) => seconds)),
    pages_per_session: query.event === undefined ? roundedMean(visits.map(({ pageViews }) => pageViews)) : null,
    total_events: events.length,
  };
}

/** The lower of the middle values. */
function middle(values: readonly number[]): number | null {
  const found = values.toSorted((a, b) => a - b)[Math.ceil(values.length / 2) - 1];
  return found === undefined ? null : round(found);
}

export function summary(sample: Sample, query: Query): AnswerRow[] {
  const events = countedEvents(sample, query).map(({ of }) => of);
  const { visitors, ...rest } = figures(events, selectedVisits(sample, query), query);
  return [{ ...rest, unique_visitors: visitors }];
}

export function eventsByDate(sample: Sample, query: Query): AnswerRow[] {
  const visits = Map.groupBy(selectedVisits(sample, query), ({ startMs }) => bucketOf(startMs, query));
  const events = Map.groupBy(countedEvents(sample, query), ({ atMs }) => bucketOf(atMs, query));
  return bucketsOf(query).map((date) => {
    const { total_events, ...row } = figures(
      (events.get(date) ?? []).map(({ of }) => of),
      visits.get(date) ?? [],
      query,
    );
    return { date, value: total_events, ...row };
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

type Key = (values: VisitValues) => string | null;

/** A table of visits by one of their values; without a label for those without it, they are left out. */
export function audience(sample: Sample, query: Query, key: Key, whenEmpty?: string): AnswerRow[] {
  const nameOf = (values: VisitValues) => key(values) || whenEmpty;
  const visits = Map.groupBy(selectedVisits(sample, query), ({ values }) => nameOf(values));
  const events = Map.groupBy(countedEvents(sample, query), ({ of, visit }) => nameOf(visit?.values ?? of));
  const names = [...new Set([...visits.keys(), ...events.keys()])].filter((name) => name !== undefined);
  const rows = names.map((name) => ({
    name,
    pageviews: (events.get(name) ?? []).filter(({ of }) => isView(of)).length,
    visitors: visitorsOf(visits.get(name) ?? []),
    sessions: visits.get(name)?.length ?? 0,
  }));
  // Page views of a filter may be none, so the shares are those of the sessions.
  const shared = query.event === undefined ? "pageviews" : "sessions";
  const total = rows.reduce((sum, row) => sum + row[shared], 0);
  return sorted(
    rows.map((row) => ({ ...row, percentage: share(row[shared], total) })),
    ["pageviews", "visitors", "sessions"],
  );
}

export function pages(sample: Sample, query: Query): AnswerRow[] {
  const views = countedEvents(sample, query).flatMap(({ of }) => (isView(of) ? [of] : []));
  return sorted(
    [...Map.groupBy(views, ({ path }) => path || "Unknown")].map(([path, group]) => ({
      path,
      name: path,
      views: group.length,
      pageviews: group.length,
      visitors: distinct(group.map(({ visitor_key }) => visitor_key)),
      percentage: share(group.length, views.length),
    })),
    ["views", "visitors"],
  );
}

export function sessionPages(sample: Sample, query: Query, end: "first" | "last"): AnswerRow[] {
  const visits = selectedVisits(sample, query).filter(({ pageViews }) => pageViews > 0);
  const pathOf = ({ events }: Visit) => {
    const paths = events.filter(isView).flatMap(({ path }) => path || []);
    return paths.at(end === "first" ? 0 : -1) ?? "Unknown";
  };
  return sorted(
    [...Map.groupBy(visits, pathOf)].map(([path, group]) => ({
      path,
      name: path,
      pageviews: group.length,
      visitors: visitorsOf(group),
      sessions: group.length,
      percentage: share(group.length, visits.length),
    })),
    ["sessions", "visitors"],
  );
}

export function sessionsByDevice(sample: Sample, query: Query): AnswerRow[] {
  const visits = selectedVisits(sample, query);
  return sorted(
    [...Map.groupBy(visits, ({ values }) => values.device ?? "Unknown")].map(([name, group]) => ({
      name,
      sessions: group.length,
      visitors: visitorsOf(group),
      avg_session_duration: roundedMean(group.map(({ seconds }) => seconds)),
      bounce_rate: bounceRate(group),
      percentage: share(group.length, visits.length),
    })),
    ["sessions", "visitors"],
  );
}

export function customEvents(sample: Sample, query: Query): AnswerRow[] {
  const events = countedEvents(sample, query).filter(({ of }) => isCustom(of));
  return sorted(
    [...Map.groupBy(events, ({ of }) => of.name)].map(([name, group]) => {
      const times = group.map(({ of }) => of.tsMs);
      const visitors = distinct(group.map(({ of }) => of.visitor_key));
      return {
        name,
        total_events: group.length,
        count: group.length,
        visitors,
        unique_users: visitors,
        unique_sessions: distinct(group.map(({ visit }) => visit)),
        first_occurrence: new Date(Math.min(...times)).toISOString(),
        last_occurrence: new Date(Math.max(...times)).toISOString(),
        events_with_properties: group.filter(({ of }) => of.properties !== null).length,
        percentage: share(group.length, events.length),
      };
    }),
    ["count", "visitors", "unique_sessions", "events_with_properties"],
  );
}

export function outboundDomains(sample: Sample, query: Query): AnswerRow[] {
  const links = [
    ...selectedVisits(sample, query).flatMap((visit) => visit.links),
    ...sample.links.filter(({ tsMs, session_key }) => session_key === null && isIn(query, tsMs)),
  ];
  return sorted(
    [...Map.groupBy(links, ({ href }) => new URL(href).host)].map(([domain, group]) => ({
      domain,
      total_clicks: group.length,
      unique_users: distinct(group.map(({ visitor_key }) => visitor_key)),
      unique_links: distinct(group.map(({ href }) => href)),
      percentage: share(group.length, links.length),
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
