import { instantOf, wallClock } from "../../../texts/wallClock.ts";

/** So many of the same weekdays before are looked at, and at least so many of them have to be known. */
export const mostWeeks = 4;
export const leastWeeks = 3;

/** A time, Unix ms; the end is exclusive. */
export type Span = { readonly fromMs: number; readonly untilMs: number };

/** Steps of the chart, ms: from 5 minutes to a day. */
const stepsMs = [5, 10, 15, 30, 60, 180, 360, 1_440].map((minutes) => minutes * 60_000);
const mostSteps = 24;
const hourMs = 3_600_000;

/** What the chart shows around an incident: half of its length before and after it, at least an hour, at most a day. */
export function shownSpan(incident: Span, nowMs: number): Span & { readonly stepMs: number } {
  const around = Math.min(24 * hourMs, Math.max(hourMs, (incident.untilMs - incident.fromMs) / 2));
  const wanted = { fromMs: incident.fromMs - around, untilMs: Math.min(nowMs, incident.untilMs + around) };
  const stepMs = stepsMs.find((ms) => (wanted.untilMs - wanted.fromMs) / ms <= mostSteps) ?? (stepsMs.at(-1) as number);
  const fromMs = Math.floor(wanted.fromMs / stepMs) * stepMs;
  const steps = Math.max(1, Math.floor((wanted.untilMs - fromMs) / stepMs));
  return { fromMs, untilMs: fromMs + steps * stepMs, stepMs };
}

/** The parts of a span. */
export function stepsOf({ fromMs, untilMs, stepMs }: Span & { readonly stepMs: number }): Span[] {
  return Array.from({ length: Math.round((untilMs - fromMs) / stepMs) }, (_, index) => ({
    fromMs: fromMs + index * stepMs,
    untilMs: fromMs + (index + 1) * stepMs,
  }));
}

/** An instant as many weeks before as the clock of the zone shows it: also where clocks were changed since. */
export function weeksBefore(ms: number, weeks: number, zone: string): number {
  if (weeks === 0) return ms;
  const minuteMs = Math.floor(ms / 60_000) * 60_000;
  const day = new Date(Date.parse(`${wallClock(minuteMs, zone)}Z`) - weeks * 7 * 86_400_000);
  return Date.parse(instantOf(day.toISOString().slice(0, 16), zone)) + (ms - minuteMs);
}

/** The median of what is known, or undefined where too little is. */
export function usualOf(values: readonly (number | null | undefined)[]): number | undefined {
  const known = knownOf(values);
  return known.length < leastWeeks ? undefined : quantile(known, 0.5);
}

/** The middle half of what is known: from the lower to the upper quartile. */
export function usualBand(
  values: readonly (number | null | undefined)[],
): { readonly low: number; readonly high: number } | undefined {
  const known = knownOf(values);
  if (known.length < leastWeeks) return undefined;
  return { low: quantile(known, 0.25), high: quantile(known, 0.75) };
}

function knownOf(values: readonly (number | null | undefined)[]): number[] {
  return values.flatMap((value) => value ?? []).toSorted((one, other) => one - other);
}

/** Between the two nearest values, as most tools compute it. */
function quantile(sorted: readonly number[], part: number): number {
  const place = (sorted.length - 1) * part;
  const low = sorted[Math.floor(place)] ?? 0;
  const high = sorted[Math.ceil(place)] ?? low;
  return low + (high - low) * (place - Math.floor(place));
}
