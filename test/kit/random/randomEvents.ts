/** Random events and links, as plain values that both QuestDB and the reference calculation can hold. */
export type SampleEvent = {
  tsMs: number;
  event_type: "page_view" | "page_exit" | "custom";
  name: string;
  visitor_key: number | null;
  session_key: number | null;
  session_id: string | null;
  anonymous_id: string | null;
  path: string | null;
  title: string | null;
  referrer: string | null;
  referrer_source: string | null;
  referrer_group: string | null;
  country: string | null;
  region: string | null;
  browser: string | null;
  device: string | null;
  utm_source: string | null;
  utm_medium: string | null;
  utm_campaign: string | null;
  utm_term: string | null;
  utm_content: string | null;
  time_on_page_ms: number | null;
  scroll_depth_percent: number | null;
  interaction_count: number | null;
  properties: string | null;
};

export type SampleLink = {
  tsMs: number;
  visitor_key: number | null;
  session_key: number | null;
  href: string;
  text: string | null;
};

export function pick<T>(random: () => number, values: readonly T[]): T {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined && values.length === 0) throw new Error("nothing to pick from");
  return value as T;
}

/** They include characters that break LIKE patterns, quotes and escapes. */
export const samplePaths = ["/", "/pricing", "/a%b", "/a_b", "/axb", "/x\\y", "/o'k", "/ä/ü", "/Pricing"] as const;

const groupOfReferrer: ReadonlyMap<string, string> = new Map([
  ["https://g.example/a", "search"],
  ["https://news.example/", "referral"],
]);

/**
 * Sessions of 1 to 6 events, from `fromMs` on over `lengthMs`; no two events share a time. Besides those at random times one begins at
 * each full hour, where bounds and buckets meet.
 */
export function sampleEvents(random: () => number, sessions: number, fromMs: number, lengthMs: number): SampleEvent[] {
  const events: SampleEvent[] = [];
  const taken = new Set<number>();
  const hours = Math.floor(lengthMs / 3_600_000);
  for (let session = 1; session <= sessions + hours; session++) {
    const visitor = 1 + Math.floor(random() * (sessions / 2));
    const nameless = random() < 0.03;
    let tsMs = fromMs + (session <= sessions ? Math.floor(random() * lengthMs) : (session - sessions) * 3_600_000);
    const shared = {
      visitor_key: nameless ? null : visitor,
      session_key: nameless ? null : 1_000_000 + session,
      session_id: nameless ? null : `s${session}`,
      anonymous_id: nameless ? null : `v${visitor}`,
      country: pick(random, ["DE", "US", "FR", null]),
      browser: pick(random, ["Chrome", "Firefox", "Safari", null]),
      device: pick(random, ["desktop", "mobile", null]),
      utm_source: pick(random, ["news", "ad", null, null]),
      utm_medium: pick(random, ["mail", null]),
      utm_campaign: pick(random, ["spring", null]),
      utm_term: pick(random, ["shoes", null]),
      utm_content: pick(random, ["banner", null]),
    };
    const length = 1 + Math.floor(random() ** 2 * 6);
    for (let index = 0; index < length; index++) {
      while (taken.has(tsMs)) tsMs++;
      taken.add(tsMs);
      const kind = random();
      const event_type = kind < 0.65 ? "page_view" : kind < 0.8 ? "page_exit" : "custom";
      const bare = event_type === "custom" && random() < 0.5;
      const referrer = bare ? undefined : pick(random, ["https://g.example/a", "https://news.example/", "", undefined]);
      events.push({
        tsMs,
        event_type,
        name:
          event_type === "page_view"
            ? "screen_view"
            : event_type === "custom"
              ? pick(random, ["buy", "sign_up", "buy%"])
              : "page_exit",
        path: bare ? null : pick(random, samplePaths),
        title: bare ? null : pick(random, ["Home", "Prices", ""]),
        referrer: referrer || null,
        referrer_source: referrer === undefined ? null : (referrer.split("/")[2] ?? ""),
        referrer_group: referrer === undefined ? null : (groupOfReferrer.get(referrer) ?? "direct"),
        region: shared.country === null ? null : `${shared.country}-${1 + Math.floor(random() * 2)}`,
        time_on_page_ms: random() < 0.3 ? pick(random, [0, 1, 950, 9_999, 10_000, 65_000, 3_600_000]) : null,
        scroll_depth_percent: event_type === "page_exit" ? tsMs % 101 : null,
        interaction_count: event_type === "page_exit" ? tsMs % 3 : null,
        properties: tsMs % 2 === 0 ? propertiesOf(event_type) : null,
        ...shared,
        ...(bare ? { country: null, browser: null, device: null, utm_source: null, region: null } : {}),
      });
      // Some come just before or after the 30 minutes that end a session.
      tsMs += Math.floor(random() * (random() < 0.5 ? 8_000 : 600_000)) + 1;
      if (random() < 0.15) tsMs += pick(random, [1_190_000, 1_700_000, 1_799_990, 3_600_000]);
    }
  }
  return events;
}

/** A link for about every tenth event, a second after it. */
export function sampleLinks(random: () => number, events: readonly SampleEvent[]): SampleLink[] {
  return events
    .filter(() => random() < 0.1)
    .map(({ tsMs, visitor_key, session_key }) => ({
      tsMs: tsMs + 1_000,
      visitor_key,
      session_key,
      href: pick(random, ["https://out.example/a", "https://out.example/b", "http://other.example"]),
      text: pick(random, ["Docs", null]),
    }));
}

function propertiesOf(eventType: string): string | null {
  if (eventType === "custom") return '{"plan":"pro"}';
  return eventType === "page_view" ? '{"notFound":true}' : null;
}
