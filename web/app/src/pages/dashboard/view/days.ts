import type { Preset, Range } from "./view.ts";

/** The first and the last day of a range, YYYY-MM-DD. */
export type Days = { readonly first: string; readonly last: string };

/** The local time of a time zone. */
export type LocalTime = { readonly day: string; readonly time: string };

/** The local time of a zone at `nowMs`. */
export function localTime(zone: string, nowMs: number): LocalTime {
  const parts = new Intl.DateTimeFormat("en-CA", {
    timeZone: zone,
    dateStyle: "short",
    timeStyle: "medium",
    hourCycle: "h23",
  }).format(nowMs);
  const [day = "", time = ""] = parts.split(", ");
  return { day, time };
}

/** The days of a range. The service computes those of a preset in the same way (docs/user/queries.md). */
export function daysOf(range: Range, today: string): Days {
  if ("from" in range) return { first: range.from, last: range.to };
  return presetDays[range.preset](today);
}

const presetDays: Readonly<Record<Preset, (today: string) => Days>> = {
  today: (today) => ({ first: today, last: today }),
  yesterday: (today) => ({ first: addDays(today, -1), last: addDays(today, -1) }),
  last_7d: (today) => ({ first: addDays(today, -6), last: today }),
  last_30d: (today) => ({ first: addDays(today, -29), last: today }),
  last_90d: (today) => ({ first: addDays(today, -89), last: today }),
  this_month: (today) => ({ first: firstOfMonth(today), last: today }),
  last_month: (today) => {
    const last = addDays(firstOfMonth(today), -1);
    return { first: firstOfMonth(last), last };
  },
  this_year: (today) => ({ first: `${today.slice(0, 4)}-01-01`, last: today }),
};

/** The days of a time span of the service in a time zone; `until` is exclusive. */
export function daysBetween({ from, until }: { readonly from: string; readonly until: string }, zone: string): Days {
  return { first: localTime(zone, Date.parse(from)).day, last: localTime(zone, Date.parse(until) - 1).day };
}

export function countDays({ first, last }: Days): number {
  return Math.round((Date.parse(last) - Date.parse(first)) / 86_400_000) + 1;
}

/** Adds days in UTC, where each has 24 hours. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * 86_400_000).toISOString().slice(0, 10);
}

function firstOfMonth(day: string): string {
  return `${day.slice(0, 8)}01`;
}
