import type { UnknownTime } from "../../../../../../packages/client-js/src/query.ts";
import { localTime } from "../view/days.ts";

const dayMs = 86_400_000;

/**
 * Unknown times by their start, those that follow one another for the same reason as one: also where part of a day lies between them, because a
 * range that is not over is compared with as much of the other period.
 */
export function mergedUnknown(times: readonly UnknownTime[]): UnknownTime[] {
  const merged: UnknownTime[] = [];
  for (const time of times.toSorted((one, other) => Date.parse(one.from) - Date.parse(other.from))) {
    const last = merged.at(-1);
    if (last?.reason === time.reason && Date.parse(time.from) - Date.parse(last.until) < dayMs)
      merged[merged.length - 1] = { ...last, until: laterOf(last.until, time.until) };
    else merged.push(time);
  }
  return merged;
}

/**
 * The day in a time zone since which figures are kept: the end of what is before the first event or past the retention. Undefined if there is
 * no such time, or if it ends with the range that was asked for, so that the answer does not say when it is over.
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

function isStart(reason: UnknownTime["reason"]): boolean {
  return reason === "not_started" || reason === "retention";
}

function laterOf(one: string, other: string): string {
  return Date.parse(one) > Date.parse(other) ? one : other;
}
