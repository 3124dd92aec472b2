import { formatSpan } from "../../../texts/formatTime.ts";
import { region } from "../../../texts/texts.ts";

/** What the clock of a zone shows: 10:20, or 10:20:04. */
export function clock(instant: string | number, zone: string, { withSeconds = false } = {}): string {
  return new Intl.DateTimeFormat(region.value, {
    timeZone: zone,
    hour: "2-digit",
    minute: "2-digit",
    ...(withSeconds ? { second: "2-digit" } : {}),
    hourCycle: "h23",
  }).format(new Date(instant));
}

/** The name of the day of the week. */
export function weekday(ms: number, zone: string): string {
  return new Intl.DateTimeFormat(region.value, { timeZone: zone, weekday: "long" }).format(ms);
}

/** A time without parts that are 0: 45 min, 1 min 2 s, 2 h. */
export function shortSpan(ms: number): string {
  return formatSpan(ms).replace(/(?<=\d \S+) 0 (?:s|min|h)$/, "");
}
