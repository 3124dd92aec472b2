import { validationError } from "../../../errors.ts";
import { dayOf, parseDate, startOfDayMs, timeZoneOf } from "../../../query/request/dates.ts";

/** Whole days of a website as instants, Unix ms; `untilMs` does not belong to them. */
export type ErasureDays = { readonly fromMs: number; readonly untilMs: number };

type Asked = { readonly startDate: string; readonly endDate: string };

/**
 * The days of an erasure in the website's time zone. Days that are still to come stand for until now: nothing is stored under them but by
 * clocks that are ahead, by a day at most. Throws VALIDATION_ERROR for days that the calendar does not have, that are in the
 * wrong order, or that all are still to come.
 */
export function readErasureDays({ startDate, endDate }: Asked, timeZone: string, nowMs: number): ErasureDays {
  const zone = timeZoneOf(timeZone);
  if (zone === undefined) throw new Error(`A website has the unknown time zone ${timeZone}`);
  const fromMs = parseDate(startDate, "start", zone);
  const endMs = parseDate(endDate, "end", zone);
  const unknownDay = { message: "must be a day of the calendar from 1970 to 2199, written YYYY-MM-DD" };
  const problems = [
    ...(fromMs === undefined ? [{ field: "start_date", ...unknownDay }] : []),
    ...(endMs === undefined ? [{ field: "end_date", ...unknownDay }] : []),
  ];
  if (fromMs === undefined || endMs === undefined) throw validationError(problems);
  if (endDate < startDate)
    throw validationError([{ field: "end_date", message: `must not be before start_date (${startDate}); swap them` }]);
  const today = dayOf(nowMs, zone);
  const tomorrowMs = startOfDayMs(today.plus({ days: 1 }), zone);
  if (fromMs >= tomorrowMs)
    throw validationError([
      {
        field: "start_date",
        message: `must not be after today (${today.toISODate()} in ${timeZone}): nothing is stored yet`,
      },
    ]);
  return { fromMs, untilMs: Math.min(endMs, startOfDayMs(today.plus({ days: 2 }), zone)) };
}
