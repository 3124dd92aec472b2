import { inactivityMs } from "../../aggregation/sessions.ts";
import type { TimeRange } from "../../time/dates.ts";
import { clipped, merged } from "../../time/timeRanges.ts";
import { dayMs } from "../../time/utcDay.ts";

/**
 * Where the visits of an answer come from. The rule: settled times come from stored sessions, everything else from events.
 *
 * - A range is dirty while stored sessions may differ from its events (unsettledRanges.ts). The correction in src/aggregation settles it
 *   within a minute.
 * - Live ranges are the dirty ones, widened by the 30 minutes in which an event can still belong to a visit. A visit that touches one is
 *   computed from events (liveVisits.ts), every other one is stored. visitsSql.ts puts both together.
 */
export type VisitSource = {
  /** Sorted and disjoint. */
  readonly liveRanges: readonly TimeRange[];
  /** Hold all activities of the visits that touch a live range. Sorted and disjoint; they may reach beyond the range of the question. */
  readonly windows: readonly TimeRange[];
  /** When the last visit of the range ends: its events are read until then. */
  readonly tailEndMs: number;
  /** The visits that the edges of the range cut; undefined if they are not known or too many. */
  readonly cut?: CutVisits | undefined;
};

/** A visit that begins before an instant and ends after it. Times in Unix microseconds. */
export type CutVisit = { readonly sessionKey: number; readonly beganUs: number; readonly lastUs: number };

export type CutVisits = { readonly atStart: readonly CutVisit[]; readonly atEnd: readonly CutVisit[] };

/**
 * How far visits of a range can reach beyond it. A visit that fills a UTC day ends with it, so one lasts two days at most, and where it is
 * cut depends on the day before it.
 */
const reach = { beforeMs: 3 * dayMs, afterMs: 2 * dayMs + inactivityMs };

/** A range with all activities that can belong to its visits. */
export function withReach({ startMs, endMs }: TimeRange): TimeRange {
  return { startMs: startMs - reach.beforeMs, endMs: endMs + reach.afterMs };
}

/** All visits from events. */
export function allLive(range: TimeRange): VisitSource {
  const wide = withReach(range);
  return { liveRanges: [wide], windows: [wide], tailEndMs: wide.endMs };
}

/** Each live range adds a part to the statement that computes visits from events. */
const maxLiveRanges = 4;

/** The live ranges within `range` for these dirty ones; sorted and disjoint. */
export function liveRangesOf(range: TimeRange, unsettled: readonly TimeRange[]): readonly TimeRange[] {
  const near = unsettled.map(({ startMs, endMs }) => ({
    startMs: startMs - inactivityMs,
    endMs: endMs + inactivityMs,
  }));
  return fewer(merged(clipped(near, range)));
}

/** Merges the closest of sorted, disjoint ranges until at most `maxLiveRanges` are left. */
function fewer(ranges: readonly TimeRange[]): readonly TimeRange[] {
  if (ranges.length <= maxLiveRanges) return ranges;
  const gaps = ranges.slice(1).map(({ startMs }, index) => startMs - (ranges[index]?.endMs ?? startMs));
  const closest = gaps.indexOf(Math.min(...gaps));
  const [first, second] = ranges.slice(closest, closest + 2);
  if (first === undefined || second === undefined) return ranges;
  return fewer(ranges.toSpliced(closest, 2, { startMs: first.startMs, endMs: second.endMs }));
}
