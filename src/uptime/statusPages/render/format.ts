import type { StatusTexts } from "../texts/en.ts";
import type { StatusLanguage } from "../texts/statusTexts.ts";

/** What a page is written with: a language and its texts. */
export type Writer = { readonly language: StatusLanguage; readonly texts: StatusTexts };

/** British English has the day before the month, as dates with a name of the month are read everywhere. */
const tags: Readonly<Record<StatusLanguage, string>> = { en: "en-GB", de: "de" };

const timeFormats = formats({
  timeZone: "UTC",
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});
const dayFormats = formats({ timeZone: "UTC", day: "numeric", month: "short", year: "numeric" });

function formats(options: Intl.DateTimeFormatOptions): Readonly<Record<StatusLanguage, Intl.DateTimeFormat>> {
  return { en: new Intl.DateTimeFormat(tags.en, options), de: new Intl.DateTimeFormat(tags.de, options) };
}

/** A time such as 24 Nov 2026, 22:05 UTC. */
export function formatTime(ms: number, { language }: Writer): string {
  return `${timeFormats[language].format(ms)} UTC`;
}

/** A day such as 2026-11-24. */
export function formatDay(day: string, { language }: Writer): string {
  return dayFormats[language].format(Date.parse(`${day}T00:00:00Z`));
}

/** Percent to two places, rounded down, so that only all checks give 100. */
export function formatPercent(percent: number, { language }: Writer): string {
  const shown = Math.floor(percent * 100) / 100;
  return `${shown.toLocaleString(tags[language], { maximumFractionDigits: 2 })} %`;
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
