import { pick, type SampleEvent, samplePaths } from "../random/randomEvents.ts";
import { seededRandom } from "../random/seededRandom.ts";

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Minutes of a UTC day at which days of the zones of random queries, or their ranges, begin or end. */
const edges = [
  ...[0, 2 * 60 + 30, 3 * 60, 4 * 60, 11 * 60, 12 * 60, 13 * 60, 13 * 60 + 20, 13 * 60 + 30, 14 * 60 + 30],
  ...[18 * 60 + 15, 21 * 60, 22 * 60, 23 * 60],
] as const;

/**
 * Visits that a bound of a range or a bucket cuts, three a day and one of them at midnight UTC, with page views on both sides. What is known of their visitors is in one of
 * their events, often a later one, and many are of several ids. One more fills two whole days.
 */
export function edgeVisits(fromMs: number, days: number): SampleEvent[] {
  const random = seededRandom(days);
  const visits = Array.from({ length: days * 3 }, (_, place) => {
    const minutes = place % 3 === 0 ? 0 : pick(random, edges);
    const edgeMs = fromMs + Math.floor(place / 3) * dayMs + minutes * minuteMs;
    return edgeVisit(edgeMs, 3_000_000 + place, random);
  });
  return [...visits.flat(), ...longVisit(fromMs + 15 * dayMs, 3_500_000)];
}

function edgeVisit(edgeMs: number, key: number, random: () => number): SampleEvent[] {
  const before = 1 + Math.floor(random() * 3);
  const after = 1 + Math.floor(random() * 3);
  const known = {
    country: pick(random, ["DE", "US", "FR"]),
    browser: pick(random, ["Chrome", "Firefox", null]),
    device: pick(random, ["desktop", "mobile"]),
    // Stored before they were in lower case.
    utm_source: pick(random, ["news", "News", "ad", null]),
    utm_medium: pick(random, ["mail", null]),
    utm_campaign: pick(random, ["spring", "autumn", null]),
  };
  const source = pick(random, [fromSearch, fromNews, direct, withinSite]);
  const knownAt = Math.floor(random() * (before + after));
  const hasSeveralIds = random() < 0.4;
  let tsMs = edgeMs - before * 9 * minuteMs;
  return Array.from({ length: before + after }, (_, index) => {
    // Some are at the very edge. None are at the same moment, since such events have no order.
    tsMs = index === before ? edgeMs + pick(random, [0, 1, 40_000]) : tsMs + pick(random, [1, 7, 90_000, 500_000]);
    const isView = index === before || random() < 0.7;
    const type = isView || index === 0 ? "page_view" : pick(random, ["custom", "page_exit"] as const);
    const id = hasSeveralIds && index % 2 === 1 ? key + 100_000 : key;
    return {
      ...eventOf(tsMs, type, id, random),
      session_key: key,
      ...(index === knownAt ? { ...known, ...source } : pick(random, [nothing, direct, withinSite])),
    };
  });
}

/** Like that of a server: an event each 29 minutes for two and a half days. */
function longVisit(fromMs: number, key: number): SampleEvent[] {
  const random = seededRandom(key);
  return Array.from({ length: 125 }, (_, index) => {
    const tsMs = fromMs - 10 * minuteMs + index * 29 * minuteMs;
    return eventOf(tsMs, index % 40 === 0 ? "page_view" : "custom", key, random);
  });
}

const nothing = {};
const fromSearch = { referrer: "https://g.example/a", referrer_source: "g.example", referrer_group: "search" };
const fromNews = { referrer: "https://news.example/", referrer_source: "news.example", referrer_group: "referral" };
const direct = { referrer_source: "", referrer_group: "direct" };
/** A step within the website has neither a source nor a group. */
const withinSite = { referrer: "https://own.example/pricing", referrer_source: "" };

function eventOf(tsMs: number, type: SampleEvent["event_type"], key: number, random: () => number): SampleEvent {
  return {
    tsMs,
    event_type: type,
    name: { page_view: "screen_view", custom: pick(random, ["buy", "sign_up"]), page_exit: "page_exit" }[type],
    visitor_key: key,
    session_key: key,
    session_id: random() < 0.2 ? null : `s${key}`,
    anonymous_id: random() < 0.2 ? null : `v${key}`,
    path: random() < 0.1 ? null : pick(random, samplePaths),
    title: pick(random, ["Home", "Prices", null]),
    referrer: null,
    referrer_source: null,
    referrer_group: null,
    country: null,
    region: null,
    browser: null,
    device: null,
    utm_source: null,
    utm_medium: null,
    utm_campaign: null,
    utm_term: null,
    utm_content: null,
    time_on_page_ms: type === "page_exit" ? pick(random, [950, 9_999, 900_000, 1_800_000]) : null,
    scroll_depth_percent: null,
    interaction_count: null,
    properties: null,
  };
}
