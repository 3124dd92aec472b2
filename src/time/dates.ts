import { DateTime, IANAZone } from "luxon";
import { nearest } from "../text/nearest.ts";
import { knownTimeZone } from "./timeZone.ts";
import { dayMs } from "./utcDay.ts";

/** A range of time, Unix ms. The end is exclusive. */
export type TimeRange = { readonly startMs: number; readonly endMs: number };

export type DateEdge = "start" | "end";

/** A calendar day, represented by its midnight in UTC, so that adding days is not affected by clock changes. */
type Day = DateTime;

type Days = { readonly first: Day; readonly last: Day };

/**
 * The date presets: the three lists of specification 4.1 together, exactly as spelled there. Days are those of the
 * request's time zone, weeks start on Monday, and `last_7d` is today and the six days before it.
 */
const presets: ReadonlyMap<string, (today: Day) => Days> = new Map([
  ["today", (today) => ({ first: today, last: today })],
  ["yesterday", (today) => previousDay(today)],
  ["last_7d", (today) => lastDays(today, 7)],
  ["last_14d", (today) => lastDays(today, 14)],
  ["last_30d", (today) => lastDays(today, 30)],
  ["last_90d", (today) => lastDays(today, 90)],
  ["this_week", (today) => ({ first: today.startOf("week"), last: today })],
  ["last_week", (today) => previousWeek(today)],
  ["this_month", (today) => ({ first: today.startOf("month"), last: today })],
  ["last_month", (today) => previousMonth(today)],
  ["this_year", (today) => ({ first: today.startOf("year"), last: today })],
  ["last_7_days", (today) => lastDays(today, 7)],
  ["last_30_days", (today) => lastDays(today, 30)],
  ["last_90_days", (today) => lastDays(today, 90)],
  ["last7days", (today) => lastDays(today, 7)],
  ["last30days", (today) => lastDays(today, 30)],
  ["thisMonth", (today) => ({ first: today.startOf("month"), last: today })],
  ["lastMonth", (today) => previousMonth(today)],
  ["thisYear", (today) => ({ first: today.startOf("year"), last: today })],
]);

export const presetNames: readonly string[] = [...presets.keys()];

/** The lengths in days of the presets that end today. */
const lastPresets = [7, 14, 30, 90] as const;

const lengthText = /^(?:last|past)?[ _-]*(\d{1,3})[ _-]*(d|w|m)(?:ays?|eeks?|onths?)?$/i;

const daysOf: Readonly<Record<string, number>> = { d: 1, w: 7, m: 30 };

/** The preset that was probably meant: the shortest that is as long, such as last_90d for "last 3 months", or the nearest name. */
export function nearestPreset(given: string, names: readonly string[] = presetNames): string | undefined {
  const [, count, unit = ""] = lengthText.exec(given.trim()) ?? [];
  if (count === undefined) return nearest(given, names);
  const days = Number(count) * (daysOf[unit.toLowerCase()] ?? 1);
  const fitting = lastPresets.find((length) => length >= days);
  return fitting === undefined ? undefined : `last_${fitting}d`;
}

/** The range of a preset in a time zone, in whole days. Undefined when there is no such preset. */
export function presetRange(name: string, nowMs: number, zone: IANAZone): TimeRange | undefined {
  const days = presets.get(name)?.(dayOf(nowMs, zone));
  if (days === undefined) return undefined;
  return { startMs: startOfDayMs(days.first, zone), endMs: startOfDayMs(days.last.plus({ days: 1 }), zone) };
}

/**
 * A date of a query as an instant, Unix ms. A day (YYYY-MM-DD) means all of it: its start as a start, the start of the
 * next day as an end. An ISO 8601 date and time is the instant itself; without an offset it is in the zone. Undefined
 * when it is neither, or not from 1970 to 2199.
 */
export function parseDate(text: string, edge: DateEdge, zone: IANAZone): number | undefined {
  const match = dateText.exec(text);
  if (match === null) return undefined;
  if (match[1] === undefined) {
    const day = DateTime.fromISO(text, { zone: "utc" });
    if (!isUsable(day)) return undefined;
    return startOfDayMs(edge === "start" ? day : day.plus({ days: 1 }), zone);
  }
  const instant = DateTime.fromISO(text.replace(" ", "T"), { zone });
  return isUsable(instant) ? instant.toMillis() : undefined;
}

const dateText = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** The zone of an IANA name. Undefined for anything else, including offsets such as "+02:00". */
export function timeZoneOf(name: string): IANAZone | undefined {
  const known = knownTimeZone(name);
  return known === undefined ? undefined : IANAZone.create(known);
}

/** Whether a range is longer than some calendar days or years of its zone. */
export function isLongerThan(range: TimeRange, most: { days: number } | { years: number }, zone: IANAZone): boolean {
  return range.endMs > DateTime.fromMillis(range.startMs, { zone }).plus(most).toMillis();
}

/**
 * The first instant of a day in a zone. Where clocks skip midnight it is later than 00:00; where they go back over it,
 * it is the first of the two midnights (luxon returns the second).
 */
export function startOfDayMs(day: Day, zone: IANAZone): number {
  const luxonMs = DateTime.fromObject({ year: day.year, month: day.month, day: day.day }, { zone })
    .startOf("day")
    .toMillis();
  const wentBackMinutes = zone.offset(luxonMs - dayMs / 8) - zone.offset(luxonMs);
  if (wentBackMinutes <= 0) return luxonMs;
  const earlierMs = luxonMs - wentBackMinutes * 60_000;
  return dayOf(earlierMs, zone).hasSame(day, "day") ? earlierMs : luxonMs;
}

/** The calendar day of an instant in a zone. */
export function dayOf(instantMs: number, zone: IANAZone): Day {
  return DateTime.fromMillis(instantMs + zone.offset(instantMs) * 60_000, { zone: "utc" }).startOf("day");
}

function isUsable(date: DateTime): boolean {
  return date.isValid && date.year >= 1970 && date.year < 2200;
}

function lastDays(today: Day, count: number): Days {
  return { first: today.minus({ days: count - 1 }), last: today };
}

function previousDay(today: Day): Days {
  const yesterday = today.minus({ days: 1 });
  return { first: yesterday, last: yesterday };
}

function previousWeek(today: Day): Days {
  const first = today.startOf("week").minus({ weeks: 1 });
  return { first, last: first.plus({ days: 6 }) };
}

function previousMonth(today: Day): Days {
  const first = today.startOf("month").minus({ months: 1 });
  return { first, last: first.endOf("month").startOf("day") };
}
