import type { TableRow } from "../../src/store/questdb/tables.ts";
import { randomNumbers } from "../kit/random/randomEventRows.ts";

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Steps between events: often within a session, sometimes exactly at, just below or just above the 30 minutes that end one. */
const stepsMs = [0, 0, 1, 900, 4_000, 9_999, 10_000, 60_000, 240_000, 1_799_999, 1_800_000, 1_800_001, 5_400_000];

const paths = ["/", "/pricing", "/docs", "/it's", "/\u{1f600}", "/\uff21", "/blog/a"];

/**
 * At least `count` rows of events and outgoing links of these websites on `days` days from `fromMs` on, the same for the same seed.
 * Session ids are used again after pauses, many sessions begin close before midnight, and one of each website never pauses.
 */
export function generateRows(seed: number, websiteIds: readonly string[], fromMs: number, days: number, count: number) {
  const below = randomNumbers(seed);
  // The index is within the list, which is never empty.
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const rows: TableRow[] = [];

  const add = (websiteId: string, tsMs: number, session: number, visitor: number | undefined) => {
    const base = {
      website_id: websiteId,
      event_key: below(2 ** 31) * 1_000_000 + rows.length,
      visitor_key: visitor,
      session_key: session,
      session_id: below(4) === 0 ? undefined : `s${session}`,
      anonymous_id: visitor === undefined ? undefined : `v${visitor}`,
      path: pick(paths),
    };
    const tsUs = tsMs * 1_000;
    const kind = below(20);
    if (kind === 0) {
      rows.push({ table: "outgoing_links", tsUs, values: { ...base, href: "https://out.example/" } });
      return;
    }
    const type = kind < 12 ? "page_view" : kind < 17 ? "page_exit" : "custom";
    rows.push({
      table: "events",
      tsUs,
      values: {
        ...base,
        event_type: type,
        path: type === "custom" && below(2) === 0 ? undefined : base.path,
        time_on_page_ms: type === "page_exit" ? pick([0, 900, 9_999, 10_000, 61_500, 1_799_999, 1_800_000]) : undefined,
        referrer_source: type === "page_view" ? pick(["Google", "Bing", "news.example", "", undefined]) : undefined,
        utm_source: pick(["mail", "ad", undefined, undefined, undefined]),
        utm_campaign: pick(["spring", undefined, undefined]),
        country: pick(["DE", "FR", undefined]),
      },
    });
  };

  // A session without pauses, as of a server that sends one id.
  for (const [index, websiteId] of websiteIds.entries())
    for (let tsMs = fromMs + 600 * minuteMs; tsMs < fromMs + days * dayMs; tsMs += 25 * minuteMs)
      add(websiteId, tsMs, 4_000_000_000_000 + index, undefined);

  for (let session = 1; rows.length < count; session++) {
    const websiteId = pick(websiteIds);
    const visitor = 1 + below(count / 8);
    const day = below(days);
    // A third starts within three hours before a midnight.
    const startMs = below(3) === 0 ? dayMs - below(180 * minuteMs) : below(dayMs);
    let tsMs = fromMs + day * dayMs + startMs;
    for (let left = pick([1, 1, 2, 3, 5, 8, 13]); left > 0; left--) {
      add(websiteId, tsMs, session * 1_000_003, visitor);
      tsMs += pick(stepsMs);
    }
  }
  return rows;
}

/** The same rows in another order. */
export function shuffled<T>(seed: number, list: readonly T[]): T[] {
  const below = randomNumbers(seed);
  const copy = [...list];
  for (let at = copy.length - 1; at > 0; at--) {
    const other = below(at + 1);
    [copy[at], copy[other]] = [copy[other] as T, copy[at] as T];
  }
  return copy;
}
