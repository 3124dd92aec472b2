import type { EveryColumn, RowOf } from "../store/questdb/tables.ts";
import type { RowWriter } from "../store/write/rowWriter.ts";
import { dayMs, hourMs } from "../time/utcDay.ts";
import { demoDays } from "./demoWebsite.ts";
import { SeededRandom } from "./randomOf.ts";
import { devices, hourWeights, places } from "./trafficFacts.ts";

/** A link of the demo that the API has made. */
export type DemoLink = {
  readonly id: string;
  readonly organizationId: string;
  readonly websiteId: string;
  readonly targetWebsiteId?: string;
  readonly targetPath: string;
  /** On an average day. */
  readonly clicks: number;
};

/** Where people find the links. */
const sources = [
  [5, undefined],
  [3, "www.linkedin.com"],
  [2, "t.co"],
  [2, "mastodon.social"],
  [1, "news.ycombinator.com"],
] as const;

/** Stores clicks of the last 90 days. Past clicks cannot be made over the API. Safe to repeat. */
export async function storeClicks(link: DemoLink, writer: RowWriter, nowMs: number): Promise<number> {
  const todayMs = Math.floor(nowMs / dayMs) * dayMs;
  const rows: RowOf<"link_clicks">[] = [];
  for (let daysAgo = demoDays - 1; daysAgo >= 0; daysAgo -= 1) {
    const startMs = todayMs - daysAgo * dayMs;
    const random = new SeededRandom(`lookout demo ${link.targetPath} ${startMs}`);
    const weekday = new Date(startMs).getUTCDay();
    const count = Math.round(link.clicks * (weekday === 0 || weekday === 6 ? 0.5 : 1) * 2 * random.next());
    for (let index = 0; index < count; index += 1) {
      const hour = random.pick(hourWeights.map((weight, at) => [weight, at] as const));
      const row = clickRow(link, startMs + hour * hourMs + random.below(hourMs), random);
      if (row.tsUs < nowMs * 1_000) rows.push(row);
    }
  }
  await writer.write(rows);
  return rows.length;
}

function clickRow(link: DemoLink, timeMs: number, random: SeededRandom): RowOf<"link_clicks"> {
  const { browser, os, device } = random.pick(devices);
  const { country, region, city, language } = random.pick(places);
  return {
    table: "link_clicks",
    tsUs: timeMs * 1_000,
    values: {
      organization_id: link.organizationId,
      website_id: link.websiteId,
      link_id: link.id,
      event_key: key(random),
      visitor_key: key(random),
      country,
      region,
      city,
      browser,
      os,
      device,
      language,
      referrer_source: random.pick(sources),
      target_website_id: link.targetWebsiteId,
      target_path: link.targetPath,
    } satisfies EveryColumn<"link_clicks">,
  };
}

/** A key of 52 bits, so that it is exact as a number. */
function key(random: SeededRandom): number {
  return random.below(2 ** 26) * 2 ** 26 + random.below(2 ** 26);
}
