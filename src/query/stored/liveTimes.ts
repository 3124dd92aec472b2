import { inactivityMs } from "../../aggregation/sessions.ts";
import type { TimeRange } from "../request/dates.ts";

/** Shorter ranges are answered from events as fast, without asking PostgreSQL first. */
export const leastRangeMs = 2 * 86_400_000;

/** From this share of the range on, reading events alone is as fast. */
const mostLiveShare = 0.5;

/** Each live time is a part of the statement that reads its days for itself. Of more, those that are closest to one another are taken as one. */
const mostLiveTimes = 4;

/**
 * The times of a range next to which sessions must be made of events, in order and apart; every other session of the range is a stored
 * one. Undefined where stored sessions would not help.
 *
 * These are the unsettled times and the edges of the range, where sessions are cut, each with the 30 minutes in which an event can still
 * belong to a session with something there. A session that comes near none of them has its first and last event, and all between
 * them, at settled times, and nothing at an unsettled time can join it.
 */
export function liveTimesOf(range: TimeRange, unsettled: readonly TimeRange[]): readonly TimeRange[] | undefined {
  if (range.endMs - range.startMs < leastRangeMs) return undefined;
  const edges = [range.startMs, range.endMs].map((ms) => ({ startMs: ms, endMs: ms }));
  const near = [...edges, ...unsettled].map(({ startMs, endMs }) => ({
    startMs: startMs - inactivityMs,
    endMs: endMs + inactivityMs,
  }));
  const times = fewOf(merged(clipped(near, range)));
  const liveMs = times.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  return liveMs > mostLiveShare * (range.endMs - range.startMs) ? undefined : times;
}

/** At most `mostLiveTimes` that hold all of these, which are in order and apart. */
function fewOf(times: readonly TimeRange[]): readonly TimeRange[] {
  const gapAfter = (time: TimeRange, index: number) => (times[index + 1]?.startMs ?? 0) - time.endMs;
  const gaps = times
    .slice(0, -1)
    .map(gapAfter)
    .toSorted((a, b) => b - a);
  const leastGapMs = gaps[mostLiveTimes - 2] ?? 0;
  const few: TimeRange[] = [];
  for (const time of times) {
    const last = few.at(-1);
    const isApart = last === undefined || time.startMs - last.endMs >= leastGapMs;
    if (isApart && few.length < mostLiveTimes) few.push(time);
    else if (last !== undefined) few[few.length - 1] = { startMs: last.startMs, endMs: time.endMs };
  }
  return few;
}

/** The parts of times that lie in a range. */
export function clipped(times: readonly TimeRange[], { startMs, endMs }: TimeRange): TimeRange[] {
  return times
    .map((time) => ({ startMs: Math.max(time.startMs, startMs), endMs: Math.min(time.endMs, endMs) }))
    .filter((time) => time.startMs < time.endMs);
}

/** The same times in order, those that overlap or meet as one. */
export function merged(times: readonly TimeRange[]): TimeRange[] {
  const list: TimeRange[] = [];
  for (const time of times.toSorted((a, b) => a.startMs - b.startMs)) {
    const last = list.at(-1);
    if (last === undefined || time.startMs > last.endMs) list.push(time);
    else list[list.length - 1] = { startMs: last.startMs, endMs: Math.max(last.endMs, time.endMs) };
  }
  return list;
}
