import type { UnknownTime } from "../../../../packages/client-js/src/query.ts";
import { localTime } from "./days.ts";

const dayMs = 86_400_000;

/** An unknown time of which it can be said why. */
type PastTime = UnknownTime & { readonly reason: Exclude<UnknownTime["reason"], "future"> };

/**
 * Sorts unknown times by their start, and merges successive ones with the same reason. They may have part of a day between them,
 * because an unfinished range is compared with an equally long part of the other period. That an unfinished range goes on is left out.
 */
export function mergedUnknown(times: readonly UnknownTime[]): PastTime[] {
  const merged: PastTime[] = [];
  for (const time of times.filter(isPast).toSorted((one, other) => Date.parse(one.from) - Date.parse(other.from))) {
    const last = merged.at(-1);
    if (last?.reason === time.reason && Date.parse(time.from) - Date.parse(last.until) < dayMs)
      merged[merged.length - 1] = { ...last, until: laterOf(last.until, time.until) };
    else merged.push(time);
  }
  return merged;
}

/**
 * The day in a time zone since which figures are kept: the end of the time before the first event or past the retention.
 * Undefined without such a time, or if it ends with the requested range, since the answer then does not say when it is over.
 */
export function keptSince(times: readonly UnknownTime[], rangeEndMs: number, zone: string): string | undefined {
  const ends = times.filter(({ reason }) => isStart(reason)).map(({ until }) => Date.parse(until));
  const lastMs = Math.max(...ends);
  return ends.length === 0 || lastMs >= rangeEndMs ? undefined : localTime(zone, lastMs).day;
}

/** Whether something is unknown at the start of what is kept. */
export function lacksStart(times: readonly UnknownTime[]): boolean {
  return times.some(({ reason }) => isStart(reason));
}

function isPast(time: UnknownTime): time is PastTime {
  return time.reason !== "future";
}

function isStart(reason: UnknownTime["reason"]): boolean {
  return reason === "not_started" || reason === "retention";
}

function laterOf(one: string, other: string): string {
  return Date.parse(one) > Date.parse(other) ? one : other;
}
