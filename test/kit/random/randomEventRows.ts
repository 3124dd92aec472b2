import type { RowValues } from "../../../src/store/questdb/tables.ts";

/** An event row as the ingest path stores it; `tsUs` is in microseconds since 1970. */
export type EventRow = RowValues<"events"> & { readonly tsUs: number; readonly path: string };

/** A stored click on an outgoing link. */
export type ClickRow = RowValues<"outgoing_links"> & { readonly tsUs: number };

const dayUs = 86_400_000_000;

/** Whole numbers from 0 to below `below`, the same sequence for the same seed (mulberry32). */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** A UTC day of 2000 to 2019 that no other test is likely to use, and those after it. */
export function someDays(count: number): string[] {
  const first = Date.UTC(2000, 0, 1) + Math.floor(Math.random() * 7_000) * 86_400_000;
  return Array.from({ length: count }, (_, index) => new Date(first + index * 86_400_000).toISOString().slice(0, 10));
}

/** Sessions of a UTC day with page views, exits and custom events. Many are near the limits of a bounce, some views have no session. */
export function randomSessions(
  seed: number,
  websiteId: string,
  day: string,
  sessions: number,
  paths: string[],
): EventRow[] {
  const below = randomNumbers(seed);
  // The index is within the list, which is never empty.
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const startUs = Date.parse(`${day}T00:00:00Z`) * 1_000;
  const rows: EventRow[] = [];
  for (let session = 0; session < sessions; session++) {
    const visitor = {
      visitor_key: 1 + below(sessions / 2),
      session_key: below(20) === 0 ? undefined : 1_000_000 + session,
    };
    let tsUs = startUs + below(dayUs - 600_000_000);
    const add = (values: Omit<RowValues<"events">, "website_id" | "event_key"> & { path: string }) => {
      rows.push({ ...values, ...visitor, website_id: websiteId, event_key: seed * 1_000_000 + rows.length, tsUs });
      // Often no step at all, so that events of one moment have to be ordered by their key.
      tsUs += pick([0, 0, 500_000, 4_000_000, 9_999_999, 10_000_000]);
    };
    for (let view = pick([1, 1, 1, 2, 3]); view > 0; view--) {
      const path = pick(paths);
      add({ event_type: "page_view", path, referrer_source: pick(["Google", "Bing", "news.example", "", undefined]) });
      if (below(8) === 0) add({ event_type: "custom", name: "signup", path });
      if (below(2) === 0)
        add({ event_type: "page_exit", path, time_on_page_ms: pick([0, 900, 9_999, 10_000, 61_500]) });
    }
  }
  return rows;
}

/** A click for about every fifth event, in its session. */
export function randomClicks(seed: number, events: readonly EventRow[]): ClickRow[] {
  const below = randomNumbers(seed);
  return events
    .filter(() => below(5) === 0)
    .map(({ tsUs, website_id, event_key, session_key }) => ({ tsUs, website_id, event_key, session_key }));
}
