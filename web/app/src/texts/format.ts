import { region } from "./texts.ts";

/** A whole number with its groups, such as 12,345. */
export function formatCount(value: number): string {
  return new Intl.NumberFormat(region.value).format(value);
}

/** A count for a narrow place: from 100,000 on in thousands or millions. */
export function formatShortCount(value: number): string {
  if (Math.abs(value) < 100_000) return formatCount(value);
  return new Intl.NumberFormat(region.value, { notation: "compact", maximumFractionDigits: 1 }).format(value);
}

/** Percent as the service sends them: 12.5 is 12.5 %. */
export function formatPercent(value: number, digits = 1): string {
  return new Intl.NumberFormat(region.value, { style: "percent", maximumFractionDigits: digits }).format(value / 100);
}

/** A part of a whole in whole percent, and to a tenth where that would be 0. */
export function formatShare(value: number): string {
  return formatPercent(value, value > 0 && value < 1 ? 1 : 0);
}

/** A number to a tenth, without a point where it is whole. */
export function formatTenths(value: number): string {
  return new Intl.NumberFormat(region.value, { maximumFractionDigits: 1 }).format(value);
}

export function formatDecimal(value: number): string {
  return new Intl.NumberFormat(region.value, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(value);
}

/** Seconds as 45 s, 2 min 5 s or 1 h 3 min. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${formatCount(whole)} s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${formatCount(Math.floor(whole / 3_600))} h ${Math.floor((whole % 3_600) / 60)} min`;
}

/** The same for a narrow place: 45s, 2m 5s or 1h 3m. */
export function formatShortDuration(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole}s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)}m ${whole % 60}s`;
  return `${formatCount(Math.floor(whole / 3_600))}h ${Math.floor((whole % 3_600) / 60)}m`;
}

/** A day such as 2026-03-29, without its year where it is obvious. */
export function formatDay(day: string, { withYear = true }: { readonly withYear?: boolean } = {}): string {
  return new Intl.DateTimeFormat(region.value, {
    timeZone: "UTC",
    day: "numeric",
    month: "short",
    ...(withYear ? { year: "numeric" } : {}),
  }).format(new Date(`${day.slice(0, 10)}T00:00:00Z`));
}

/** A day with its day of the week, such as Sat, 28 Nov 2026. */
export function formatWeekday(day: string): string {
  return new Intl.DateTimeFormat(region.value, {
    timeZone: "UTC",
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
  }).format(new Date(`${day.slice(0, 10)}T00:00:00Z`));
}

/** A range of days, each part once: 1–7 Mar 2026. */
export function formatDays(first: string, last: string): string {
  const format = new Intl.DateTimeFormat(region.value, {
    timeZone: "UTC",
    day: "numeric",
    month: "short",
    year: "numeric",
  });
  return format.formatRange(new Date(`${first}T00:00:00Z`), new Date(`${last}T00:00:00Z`));
}

/** A bucket of a series: a day, or an hour such as 2026-03-29T01:00:00+01:00, as its own clock shows it. */
export function formatBucket(bucket: string, { short = false }: { readonly short?: boolean } = {}): string {
  const hour = /T(\d{2}:\d{2})/.exec(bucket)?.[1];
  if (hour === undefined) return formatDay(bucket, { withYear: !short });
  return short ? hour : `${formatDay(bucket, { withYear: false })}, ${hour}`;
}

/** A country's name by its two letters; what is no country is shown as it is. */
export function formatCountry(code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return code;
  return new Intl.DisplayNames(region.value, { type: "region" }).of(code) ?? code;
}

/** A language's name by its tag. */
export function formatLanguage(tag: string): string {
  try {
    return new Intl.DisplayNames(region.value, { type: "language" }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}
