import type { ComparedRows } from "../../../../packages/client-js/src/query.ts";
import { formatDays } from "../texts/format.ts";
import type { Texts } from "../texts/texts.ts";
import { daysBetween, localTime } from "./days.ts";

/**
 * The time that figures are compared with, as text. An unfinished range is compared with an equally long part of the other
 * period, which then ends within a day.
 */
export function comparedTime(
  { from, until }: Pick<ComparedRows<unknown>, "from" | "until">,
  zone: string,
  { dashboard }: Texts,
): string {
  const { first, last } = daysBetween({ from, until }, zone);
  const end = localTime(zone, Date.parse(until));
  // Where clocks are put forward at midnight, a day begins at one o'clock.
  const isWhole = end.day !== last;
  return dashboard.comparedTime(formatDays(first, last), first === last, isWhole ? undefined : end.time.slice(0, 5));
}
