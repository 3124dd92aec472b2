import { DateTime, type IANAZone } from "luxon";
import { dayOf, startOfDayMs, type TimeRange } from "./dates.ts";

/** What a range is compared with. */
export const comparedPeriods = ["previous", "weekdays", "year"] as const;

export type ComparedPeriod = (typeof comparedPeriods)[number];

/** What a range is compared with, as a whole and as much of it as has passed of the range. */
export type ComparedRange = { readonly whole: TimeRange; readonly soFar: TimeRange };

type Day = ReturnType<typeof dayOf>;

/** Presets whose previous period is a calendar unit, whatever its number of days. */
const calendarUnits: ReadonlyMap<string, "week" | "month" | "year"> = new Map([
  ["this_week", "week"],
  ["this_month", "month"],
  ["last_month", "month"],
  ["this_year", "year"],
  ["thisMonth", "month"],
  ["lastMonth", "month"],
  ["thisYear", "year"],
]);

/**
 * The range to compare another one with. `preset` is the one that gave the range, if any.
 *
 * - `previous`: as many days before, or for presets of weeks, months and years the unit before. A range with a time of day is compared with
 *   the same length of time before.
 * - `weekdays`: the closest range before on the same days of the week.
 * - `year`: the same dates of the year before; for 29 February the 28th.
 */
export function comparedRange(
  range: TimeRange,
  period: ComparedPeriod,
  { zone, nowMs, preset = "" }: { readonly zone: IANAZone; readonly nowMs: number; readonly preset?: string },
): ComparedRange {
  const move = mover(range, period, zone, preset);
  const first = dayOf(range.startMs, zone);
  const last = dayOf(range.endMs - 1, zone);
  const whole = isOfDays(range, zone)
    ? { startMs: startOfDayMs(move.day(first), zone), endMs: startOfDayMs(lastDay(move.day, last, preset), zone) }
    : { startMs: move.instant(range.startMs), endMs: move.instant(range.endMs) };
  const isGoingOn = range.startMs < nowMs && nowMs < range.endMs;
  const endMs = isGoingOn ? Math.min(Math.max(move.instant(nowMs), whole.startMs + 1), whole.endMs) : whole.endMs;
  return { whole, soFar: { startMs: whole.startMs, endMs } };
}

/** How days and instants of a range are moved to the other range. */
type Mover = { readonly day: (day: Day) => Day; readonly instant: (instantMs: number) => number };

function mover(range: TimeRange, period: ComparedPeriod, zone: IANAZone, preset: string): Mover {
  const first = dayOf(range.startMs, zone);
  const days = Math.round(dayOf(range.endMs - 1, zone).diff(first, "days").days) + 1;
  if (period === "year") return byCalendar((day) => day.minus({ years: 1 }), zone);
  if (period === "weekdays") return byCalendar((day) => day.minus({ weeks: Math.ceil(days / 7) }), zone);
  const unit = calendarUnits.get(preset);
  if (unit !== undefined) return byCalendar((day) => day.minus({ [unit]: 1 }), zone);
  if (isOfDays(range, zone)) return byCalendar((day) => day.minus({ days }), zone);
  const lengthMs = range.endMs - range.startMs;
  return { day: (day) => day, instant: (instantMs) => instantMs - lengthMs };
}

/** Moves days, and instants to the same time of the other day. */
function byCalendar(day: (day: Day) => Day, zone: IANAZone): Mover {
  return {
    day,
    instant: (instantMs) => {
      const local = DateTime.fromMillis(instantMs, { zone });
      const { year, month, day: date } = day(dayOf(instantMs, zone));
      return local.set({ year, month, day: date }).toMillis();
    },
  };
}

/** The day after the last one. A whole month is compared with a whole month, also a longer one. */
function lastDay(move: Mover["day"], last: Day, preset: string): Day {
  const moved = move(last);
  const isWholeMonth = preset === "last_month" || preset === "lastMonth";
  return (isWholeMonth ? moved.endOf("month").startOf("day") : moved).plus({ days: 1 });
}

function isOfDays({ startMs, endMs }: TimeRange, zone: IANAZone): boolean {
  return [startMs, endMs].every((instantMs) => startOfDayMs(dayOf(instantMs, zone), zone) === instantMs);
}
