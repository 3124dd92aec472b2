import { pick, type SampleEvent, type SampleLink, sampleEvents, sampleLinks } from "../random/randomEvents.ts";
import { seededRandom } from "../random/seededRandom.ts";
import { edgeVisits } from "./edgeVisits.ts";

/** A row of a table by the names of its columns; `ts` is Unix ms. */
export type DataRow = Readonly<Record<string, string | number | null>>;

export const dataTables = ["events", "outgoing_links", "performance_metrics", "script_errors"] as const;

export type DataTable = (typeof dataTables)[number];

/** The start and length of the data: clocks change in many zones within it. */
export const dataRange = { fromMs: Date.UTC(2026, 2, 1), days: 40 };

/**
 * Forty days of one website: visitors who come again, their visits, links, measurements and errors. Some have few properties, and some events
 * and links have no visitor, unless all are to have one.
 */
export function dataSet(
  seed: number,
  { sessions = 700, allHaveVisitors = false }: { readonly sessions?: number; readonly allHaveVisitors?: boolean } = {},
): Readonly<Record<DataTable, readonly DataRow[]>> {
  const random = seededRandom(seed);
  const sample = sampleEvents(random, sessions, dataRange.fromMs, dataRange.days * 86_400_000);
  const events = [...sample, ...edgeVisits(dataRange.fromMs, dataRange.days)].map((event, place) =>
    allHaveVisitors || (event.event_type === "page_view" && place % 3 > 0) ? named(event, place) : event,
  );
  const rich = events.map((event, index) => ({ ...rowOf(event, index), ...deviceOf(event, random) }));
  const links = sampleLinks(random, events).map((link, index) => ({
    ...rowOf(link, index),
    ...idsOf(link, index),
    path: pick(random, ["/", "/docs", null]),
    properties: pick(random, ['{"plan":"pro"}', null]),
  }));
  return {
    events: rich,
    outgoing_links: links,
    performance_metrics: rich.flatMap((row, index) => (index % 3 === 0 ? measurements(row, random) : [])),
    script_errors: rich.filter(() => random() < 0.15).map((row) => errorOf(row, random)),
  };
}

/** As on receipt, where an event without an id gets the visitor of its sender. */
function named(event: SampleEvent, place: number): SampleEvent {
  if (event.session_key !== null) return event;
  return { ...event, visitor_key: 2_000_000 + place, session_key: 2_000_000 + place };
}

/** Ids of links, some of which no event of their visit has. */
function idsOf({ session_key, visitor_key }: SampleLink, index: number) {
  if (session_key === null) return { session_id: null, anonymous_id: index % 2 === 0 ? "lone" : null };
  return { session_id: index % 3 === 0 ? null : `s${session_key}`, anonymous_id: `v${visitor_key}` };
}

function rowOf({ tsMs, ...columns }: { readonly tsMs: number }, index: number): DataRow {
  return { ts: tsMs, event_key: index, ...columns };
}

/** Fixed properties of a visitor, of which an event may have some. */
function deviceOf({ visitor_key, event_type, browser, region }: SampleEvent, random: () => number) {
  const own = seededRandom(visitor_key ?? 0);
  const os = pick(own, ["Windows", "macOS", "iOS", "Android", null]);
  const screen = pick(own, ["1920x1080", "390x844", "1280x720", null]);
  const isCustom = event_type === "custom";
  return {
    os,
    os_version: os === null ? null : pick(own, ["14", "15.1", null]),
    browser_version: browser === null ? null : pick(own, ["120", "121", null]),
    screen,
    viewport: screen === null ? null : pick(random, ["1200x700", "390x700"]),
    language: pick(own, ["de-DE", "en-US", null]),
    timezone: pick(own, ["Europe/Berlin", "America/New_York", null]),
    city: region === null ? null : pick(own, ["Berlin", "Paris", null]),
    connection: pick(own, ["4g", "wifi", null]),
    properties: isCustom
      ? pick(random, ['{"plan":"pro","price":20}', '{"plan":"free"}', '{"plan":null,"a.b":"x"}', null])
      : null,
  };
}

function visitorOf({
  ts,
  event_key,
  visitor_key,
  session_key,
  session_id,
  path,
  country,
  region,
  city,
  browser,
  os,
  device,
}: Readonly<Record<string, string | number | null>>) {
  const known = {
    ts,
    event_key,
    visitor_key,
    session_key,
    session_id,
    path,
    country,
    region,
    city,
    browser,
    os,
    device,
  };
  return Object.fromEntries(Object.entries(known).map(([name, value]) => [name, value ?? null]));
}

/** Times of pages are skewed as real ones are: most are short, some very long. */
function measurements(row: DataRow, random: () => number): DataRow[] {
  const types = ["LCP", "FCP", "TTFB", "INP", "CLS", "load_time", "dom_ready_time"].filter(() => random() < 0.6);
  return types.map((metric_type) => ({
    ...visitorOf(row),
    metric_type,
    value: metric_type === "CLS" ? Math.round(random() ** 3 * 10_000) / 10_000 : Math.round(20 / (random() + 0.005)),
  }));
}

function errorOf(row: DataRow, random: () => number): DataRow {
  return {
    ...visitorOf(row),
    message: pick(random, ["x is not a function", "Failed to fetch", "100% of_it's \\ wrong"]),
    error_type: pick(random, ["TypeError", "NetworkError", null]),
    filename: pick(random, ["/app.js", "/vendor.js", null]),
    browser_version: row["browser_version"] ?? null,
    os_version: row["os_version"] ?? null,
  };
}
