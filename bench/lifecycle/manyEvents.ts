import { setTimeout as pause } from "node:timers/promises";
import { touchDays } from "../../src/aggregation/touchedDayQueue.ts";
import { utcDayOf } from "../../src/time/utcDay.ts";
import type { BenchStack } from "../../test/kit/stack/benchStacks.ts";

const dayMs = 86_400_000;

/** Days that the events are of. */
export const days = 10;

/** How many of so many events are page views. */
export function pageViewsOf(count: number): number {
  return Array.from({ length: count }, (_, index) => (index + 1) % 10).filter((rest) => rest < 7).length;
}

/** Columns with a value for row `x`: page views, page exits and custom events with all that browsers send. */
const columns = {
  event_key: "x * 7919 % 4503599627370497",
  event_type: "CASE WHEN x % 10 < 7 THEN 'page_view' WHEN x % 10 < 9 THEN 'page_exit' ELSE 'custom' END",
  name: "CASE WHEN x % 10 < 7 THEN 'screen_view' WHEN x % 10 < 9 THEN 'page_exit' ELSE 'sign_up' END",
  visitor_key: "x % 100003",
  session_key: "x % 300007",
  event_id: "rnd_uuid4()::varchar",
  anonymous_id: "'anon_' || (x % 100003)",
  session_id: "'sess_' || (x % 300007)",
  path: "CASE WHEN x % 7 = 0 THEN '/päge/ünï-😀-' || (x % 500) ELSE '/docs/section-' || (x % 40) || '/article-' || (x % 600) END",
  title: `CASE WHEN x % 10 = 9 THEN null ELSE 'Article, "' || (x % 600) || '" of the manual' END`,
  referrer: "CASE WHEN x % 3 = 0 THEN 'https://news.example/' ELSE null END",
  referrer_source: "CASE WHEN x % 3 = 0 THEN 'news.example' ELSE '' END",
  referrer_group: "CASE WHEN x % 3 = 0 THEN 'social' ELSE null END",
  screen: "'1920x1080'",
  viewport: "(800 + x % 700) || 'x720'",
  language: "'en-US'",
  timezone: "'Europe/Berlin'",
  country: "rnd_symbol('US', 'DE', 'FR', null)",
  region: "'BE'",
  city: "'Berlin'",
  browser: "rnd_symbol('Chrome', 'Firefox', 'Safari')",
  browser_version: "'120'",
  os: "rnd_symbol('Windows', 'macOS', 'Android')",
  os_version: "'10'",
  device: "'desktop'",
  connection: "'4g'",
  rtt_ms: "(x % 300)::float",
  downlink_mbps: "1.5f",
  utm_source: "CASE WHEN x % 11 = 0 THEN 'newsletter' ELSE null END",
  utm_campaign: "CASE WHEN x % 11 = 0 THEN '=spring' ELSE null END",
  time_on_page_ms: "CASE WHEN x % 10 IN (7, 8) THEN x % 60000 / 7.0 ELSE null END",
  scroll_depth_percent: "CASE WHEN x % 10 IN (7, 8) THEN 55.5f ELSE null END",
  interaction_count: "(x % 50)::int",
  properties: `CASE WHEN x % 10 = 9 THEN '{"plan":"pro","n":' || x || ',"nested":{"a":[1,2,null],"ü":"=1+1"}}' ELSE null END`,
};

export type FilledStack = Pick<BenchStack, "questdb" | "postgres">;

/**
 * Writes a number of events of a website into QuestDB, over the last whole days, and waits until they can be read. Their days are queued for
 * correction as those of sent events are; until then visits are computed from the events.
 */
export async function insertManyEvents(
  { questdb, postgres }: FilledStack,
  websiteId: string,
  count: number,
): Promise<void> {
  const firstDay = Math.floor(Date.now() / dayMs) - days;
  const startUs = firstDay * dayMs * 1_000;
  await touchDays(
    postgres,
    Array.from({ length: days + 1 }, (_, index) => ({
      websiteId,
      day: utcDayOf((firstDay + index) * dayMs),
    })),
  );
  const stepMs = Math.floor((days * dayMs) / count);
  await questdb.read(
    `INSERT INTO events (ts, website_id, ${Object.keys(columns).join(", ")})
     SELECT (${startUs} + x * ${stepMs * 1_000})::timestamp, $1, ${Object.values(columns).join(", ")} FROM long_sequence(${count})`,
    [websiteId],
  );
  for (;;) {
    const [row] = await questdb.read("SELECT count() n FROM events WHERE website_id = $1", [websiteId]);
    if (Number(row?.["n"]) >= count) return;
    await pause(500);
  }
}

/** Waits until the sessions of all days that were written are stored. */
export async function sessionsAreStored({ postgres }: FilledStack): Promise<void> {
  for (;;) {
    const { rows } = await postgres.query("SELECT count(*) AS n FROM touched_days");
    if (Number(rows[0]?.n) === 0) return;
    await pause(1_000);
  }
}
