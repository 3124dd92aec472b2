import { inactivityMs } from "../../aggregation/sessions.ts";
import type { TimeRange } from "../../time/dates.ts";

/** Shorter ranges are answered from events as fast, without a query to PostgreSQL first. */
export const minRangeMs = 2 * 86_400_000;

/** From this share of the range on, reading events alone is as fast. */
const maxLiveShare = 0.5;

/**
 * Each live range is a part of the statement that reads its days again. If there are more, those with the smallest gaps
 * are merged.
 */
const maxLiveRanges = 4;

/**
 * The live ranges of a query, sorted and disjoint: sessions that touch one are computed from events, all others are
 * stored ones. Undefined where stored sessions would not help.
 *
 * Live ranges are the dirty (unsettled) ranges and both edges of the query, where sessions are cut, each widened by the
 * 30 minutes in which an event can still belong to a session that is active there. A session that touches none of them
 * has all its events at settled times, and no event at an unsettled time can join it.
 */
export function liveRangesOf(range: TimeRange, unsettled: readonly TimeRange[]): readonly TimeRange[] | undefined {
  if (range.endMs - range.startMs < minRangeMs) return undefined;
  const edges = [range.startMs, range.endMs].map((ms) => ({ startMs: ms, endMs: ms }));
  const near = [...edges, ...unsettled].map(({ startMs, endMs }) => ({
    startMs: startMs - inactivityMs,
    endMs: endMs + inactivityMs,
  }));
  const times = mergeClosest(merged(clipped(near, range)));
  const liveMs = times.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  return liveMs > maxLiveShare * (range.endMs - range.startMs) ? undefined : times;
}

/** Merges the closest of these sorted, disjoint ranges until at most `maxLiveRanges` are left. */
function mergeClosest(times: readonly TimeRange[]): readonly TimeRange[] {
  const gapAfter = (time: TimeRange, index: number) => (times[index + 1]?.startMs ?? 0) - time.endMs;
  const gaps = times
    .slice(0, -1)
    .map(gapAfter)
    .toSorted((a, b) => b - a);
  const minGapMs = gaps[maxLiveRanges - 2] ?? 0;
  const few: TimeRange[] = [];
  for (const time of times) {
    const last = few.at(-1);
    const isApart = last === undefined || time.startMs - last.endMs >= minGapMs;
    if (isApart && few.length < maxLiveRanges) few.push(time);
    else if (last !== undefined) few[few.length - 1] = { startMs: last.startMs, endMs: time.endMs };
  }
  return few;
}

/** The parts of `times` within one range. Keeps their order; empty parts are dropped. */
export function clipped(times: readonly TimeRange[], { startMs, endMs }: TimeRange): TimeRange[] {
  return times
    .map((time) => ({ startMs: Math.max(time.startMs, startMs), endMs: Math.min(time.endMs, endMs) }))
    .filter((time) => time.startMs < time.endMs);
}

/** The same times as sorted, disjoint ranges. The argument is not changed. */
export function merged(times: readonly TimeRange[]): TimeRange[] {
  const list: TimeRange[] = [];
  for (const time of times.toSorted((a, b) => a.startMs - b.startMs)) {
    const last = list.at(-1);
    if (last === undefined || time.startMs > last.endMs) list.push(time);
    else list[list.length - 1] = { startMs: last.startMs, endMs: Math.max(last.endMs, time.endMs) };
  }
  return list;
}
