import { validationError } from "../../../errors/errors.ts";
import { dayOf, parseDate, startOfDayMs, timeZoneOf } from "../../../time/dates.ts";

/** Whole days of a website as instants, Unix ms; `untilMs` is exclusive. */
export type DeletionDays = { readonly fromMs: number; readonly untilMs: number };

type Asked = { readonly startDate: string; readonly endDate: string };

/**
 * The days of a deletion in the website's time zone. A range that ends in the future is cut a day after today: only
 * visitors whose clocks are ahead, by at most a day, have rows there. Throws VALIDATION_ERROR for days that do not
 * exist, that are in the wrong order, or that are all in the future.
 */
export function readDeletionDays({ startDate, endDate }: Asked, timeZone: string, nowMs: number): DeletionDays {
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
