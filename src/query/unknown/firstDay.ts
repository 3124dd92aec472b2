import { IANAZone } from "luxon";
import { dayOf, startOfDayMs } from "../../time/dates.ts";

/** Websites of a time zone, and the hour of their oldest event, Unix ms. */
export type FirstHour = readonly [timeZone: string, hourMs: number];

/** When the first day with events began, in the time zone of its website, Unix ms; undefined without any event. */
export function firstDayMs(hours: readonly FirstHour[]): number | undefined {
  const days = hours.map(([timeZone, hourMs]) => {
    const zone = IANAZone.create(timeZone);
    return startOfDayMs(dayOf(hourMs, zone), zone);
  });
  return days.length === 0 ? undefined : Math.min(...days);
}
