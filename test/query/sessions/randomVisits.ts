import { pick } from "../../kit/random/randomEvents.ts";
import type { SampleRow } from "../../kit/stores/sampleRows.ts";

/** An activity of a visit as a row of events or outgoing links. */
export type Visited = { readonly table: "events" | "outgoing_links"; readonly row: SampleRow };

const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;

/**
 * Visits of several days with many ambiguous sessions: many are open at a midnight, session keys return after minutes, hours and
 * days, pauses end just before or after the 30 minutes, some have nothing but links or page exits, and the columns about
 * the visitor change during a session, rarely if it is `steady`. `servers` never pause for days.
 */
export function randomVisits(
  random: () => number,
  {
    fromMs,
    days,
    keys,
    servers,
    isSteady = false,
  }: { fromMs: number; days: number; keys: number; servers: number; isSteady?: boolean },
): Visited[] {
  const taken = new Set<string>();
  const visits: Visited[] = [];
  const add = (key: number, atMs: number, kind: Kind, context: Record<string, string | null>) => {
    let tsMs = Math.round(atMs);
    // Two activities of one moment have no order.
    while (taken.has(`${key} ${tsMs}`)) tsMs += 1;
    taken.add(`${key} ${tsMs}`);
    const shared = { tsMs, event_key: visits.length, session_key: key, visitor_key: visitorOf(key, random, isSteady) };
    if (kind === "link") visits.push({ table: "outgoing_links", row: shared });
    else visits.push({ table: "events", row: { ...shared, ...eventOf(kind, random), ...context } });
  };
  for (let key = 1; key <= keys; key += 1) {
    const kinds = pick(random, kindsOfKeys);
    const own = contextOf(random);
    let atMs = fromMs + Math.floor(random() * days) * dayMs;
    // Half of them begin around a midnight.
    atMs += random() < 0.5 ? (random() - 0.6) * 90 * minuteMs : random() * dayMs;
    for (let left = 1 + Math.floor(random() ** 2 * 14); left > 0 && atMs < fromMs + days * dayMs; left -= 1) {
      const isOwn = random() < (isSteady ? 0.99 : 0.8);
      if (atMs >= fromMs) add(key, atMs, pick(random, kinds), isOwn ? own : { ...own, ...contextOf(random) });
      atMs += pick(random, gapsMs) * (0.9 + random() * 0.1);
    }
  }
  for (let key = keys + 1; key <= keys + servers; key += 1) {
    let atMs = fromMs + random() * 3 * dayMs;
    const untilMs = atMs + (1 + random() * 4) * dayMs;
    for (; atMs < untilMs; atMs += random() * 29 * minuteMs) add(key, atMs, pick(random, anyKinds), contextOf(random));
  }
  return visits;
}

type Kind = "page_view" | "page_exit" | "custom" | "link";

const anyKinds = ["page_view", "page_view", "page_exit", "custom", "link"] as const satisfies readonly Kind[];
const kindsOfKeys: readonly (readonly Kind[])[] = [
  anyKinds,
  anyKinds,
  ["page_view", "page_exit"],
  ["page_exit", "page_exit", "page_exit", "page_view"],
  ["link", "page_exit"],
  ["link"],
  ["custom"],
];

const gapsMs = [
  900,
  8_000,
  minuteMs,
  10 * minuteMs,
  20 * minuteMs,
  30 * minuteMs,
  33 * minuteMs,
  45 * minuteMs,
  6 * 60 * minuteMs,
  4 * dayMs,
];

/** Few keys have several visitors. */
function visitorOf(key: number, random: () => number, isSteady: boolean): number | null {
  const [noneShare, otherShare] = isSteady ? [0.002, 0.002] : [0.05, 0.02];
  return random() < noneShare ? null : 5_000 + Math.floor(key / 3) + (random() < otherShare ? 1_000 : 0);
}

function eventOf(kind: Kind, random: () => number): Record<string, string | number | null> {
  return {
    event_type: kind,
    name: kind === "custom" ? pick(random, ["buy", "sign_up"]) : kind,
    path: kind === "custom" ? null : pick(random, ["/", "/pricing", "/docs", "", null]),
    time_on_page_ms: kind === "page_exit" ? pick(random, [0, 950, 9_999, 10_000, 65_000, 3_600_000]) : null,
    properties: kind === "custom" ? pick(random, ['{"plan":"pro"}', null]) : null,
  };
}

function contextOf(random: () => number): Record<string, string | null> {
  const country = pick(random, ["DE", "US", null]);
  const browser = pick(random, ["Chrome", "Safari", null]);
  const source = pick(random, ["google.com", "t.co", "", null, null]);
  return {
    country,
    region: country === null ? null : pick(random, [`${country}-1`, null]),
    city: pick(random, ["Berlin", null]),
    browser,
    browser_version: browser === null ? null : pick(random, ["120", null]),
    os: pick(random, ["iOS", "Linux"]),
    os_version: pick(random, ["1", null]),
    device: pick(random, ["desktop", "mobile", null]),
    timezone: pick(random, ["Europe/Berlin", null]),
    referrer_group: source === null ? null : pick(random, ["search", "direct"]),
    referrer_source: source,
    utm_source: pick(random, ["news", null, null]),
    utm_campaign: pick(random, ["spring", null, null]),
  };
}
