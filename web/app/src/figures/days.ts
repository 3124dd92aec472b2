import type { OwnRange, Preset, Range } from "./range.ts";

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

/** The days of a range. The service computes those of its presets in the same way (docs/user/queries.md). `all` begins on the `since` day. */
export function daysOf(range: Range, today: string, since = today): Days {
  if ("from" in range) return { first: range.from, last: range.to };
  if (range.preset === "all") return { first: since < today ? since : today, last: today };
  return presetDays[range.preset](today);
}

const presetDays: Readonly<Record<Exclude<Preset, "all">, (today: string) => Days>> = {
  today: (today) => ({ first: today, last: today }),
  yesterday: (today) => ({ first: addDays(today, -1), last: addDays(today, -1) }),
  // Its hours are in `lastHours`.
  last_24h: (today) => ({ first: addDays(today, -1), last: today }),
  last_7d: (today) => ({ first: addDays(today, -6), last: today }),
  last_28d: (today) => ({ first: addDays(today, -27), last: today }),
  last_30d: (today) => ({ first: addDays(today, -29), last: today }),
  last_90d: (today) => ({ first: addDays(today, -89), last: today }),
  last_12m: (today) => ({ first: addMonths(firstOfMonth(today), -11), last: today }),
  this_month: (today) => ({ first: firstOfMonth(today), last: today }),
  last_month: (today) => {
    const last = addDays(firstOfMonth(today), -1);
    return { first: firstOfMonth(last), last };
  },
  this_year: (today) => ({ first: `${today.slice(0, 4)}-01-01`, last: today }),
};

/** The 24 hours until the end of the hour at `nowMs`, as the clock of a zone shows it: instants, the last one not included. */
export function lastHours(zone: string, nowMs: number): OwnRange {
  const [, minutes = 0, seconds = 0] = localTime(zone, nowMs).time.split(":").map(Number);
  const hourMs = Math.floor(nowMs / 1_000) * 1_000 - (minutes * 60 + seconds) * 1_000;
  return {
    from: new Date(hourMs - 23 * 3_600_000).toISOString(),
    to: new Date(hourMs + 3_600_000).toISOString(),
  };
}

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

/** The first day of the month that is `count` months after that of a first day. */
export function addMonths(first: string, count: number): string {
  const [year = 0, month = 1] = first.split("-").map(Number);
  return new Date(Date.UTC(year, month - 1 + count, 1)).toISOString().slice(0, 10);
}

export function firstOfMonth(day: string): string {
  return `${day.slice(0, 8)}01`;
}
