import { LRUCache } from "lru-cache";
import type { StatusTexts } from "../texts/en.ts";
import type { Reader } from "../texts/reader.ts";

/** What a page is written with: its reader and the texts of their language. */
export type Writer = { readonly reader: Reader; readonly texts: StatusTexts };

const date = { day: "numeric", month: "short", year: "numeric" } as const;
const time = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
const kinds = { day: date, time, instant: { ...date, ...time } } as const satisfies Readonly<
  Record<string, Intl.DateTimeFormatOptions>
>;

/** To make a format takes longer than to use it a hundred times. */
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 500 });

function format(kind: keyof typeof kinds, ms: number, locale: string, timeZone: string): string {
  const key = `${kind}/${locale}/${timeZone}`;
  const known = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...kinds[kind], timeZone });
  formats.set(key, known);
  return known.format(ms);
}

/** A time in the reader's zone, such as 24 Nov 2026, 22:05; with its zone where that is UTC. */
export function formatTime(ms: number, { reader: { locale, zone } }: Writer): string {
  return `${format("instant", ms, locale, zone)}${zone === "UTC" ? " UTC" : ""}`;
}

/** A time in UTC. */
export function formatUtc(ms: number, { reader: { locale } }: Writer): string {
  return `${format("instant", ms, locale, "UTC")} UTC`;
}

/** A time without its day if that is the reader's today. */
export function formatRecent(ms: number, nowMs: number, writer: Writer): string {
  const { locale, zone } = writer.reader;
  if (format("day", ms, locale, zone) !== format("day", nowMs, locale, zone)) return formatTime(ms, writer);
  return `${format("time", ms, locale, zone)}${zone === "UTC" ? " UTC" : ""}`;
}

/** The day of a time in the reader's zone. */
export function formatDayOf(ms: number, { reader: { locale, zone } }: Writer): string {
  return format("day", ms, locale, zone);
}

/** A day such as 2026-11-24. */
export function formatDay(day: string, { reader: { locale } }: Writer): string {
  return format("day", Date.parse(`${day}T00:00:00Z`), locale, "UTC");
}

/** Percent to two places, rounded down, so that only all checks give 100. */
export function formatPercent(percent: number, { reader: { locale } }: Writer): string {
  // Binary fractions fall short of hundredths: 100 times 0.29 is less than 29.
  const cut = Math.floor(percent * 100 + 1e-6);
  const shown = percent > 0 ? Math.max(cut, 1) / 10_000 : 0;
  return shown.toLocaleString(locale, { style: "percent", maximumFractionDigits: 2 });
}

/** A duration in its two largest units down to minutes. */
export function formatDuration(ms: number, { texts }: Writer): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return texts.lessThanMinute;
  if (minutes < 60) return texts.minutes(minutes);
  const rest = minutes % 60;
  const hours = texts.hours(Math.floor(minutes / 60));
  return rest === 0 ? hours : `${hours} ${texts.minutes(rest)}`;
}
