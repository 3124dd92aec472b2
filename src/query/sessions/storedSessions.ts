import { inactivityMs } from "../../aggregation/sessions.ts";
import type { TimeRange } from "../../time/dates.ts";
import { clipped, merged } from "../../time/timeRanges.ts";
import type { Bindings } from "../sql/bindings.ts";
import { accessTo, type EventShare, type RowScope, rowsOf } from "../sql/rowScope.ts";

/**
 * Where the sessions of an answer come from. The rule: settled ranges come from stored sessions, everything else from
 * events.
 *
 * - A range is dirty while stored sessions may differ from its events (unsettledRanges.ts). The correction in
 *   src/aggregation settles it within a minute.
 * - Live ranges are the dirty ones and the edges of the query. A session that touches one is computed from events
 *   (sessionsFromEvents.ts), every other one is stored. sessionsSource.ts puts both together.
 * - Where sessions are counted by a property of their events, a session with one value of the column is counted by the
 *   session's own column, one with several values by its events (sessionsByColumn.ts).
 * - Queries with filters, or of less than two days, compute all sessions from events (findStoredSessions.ts).
 */
export type StoredSessions = {
  /** Sorted and disjoint. */
  readonly liveRanges: readonly TimeRange[];
  /** Hold all activities of the sessions that touch a live range. Sorted and disjoint. */
  readonly windows: readonly TimeRange[];
  /** Hold all activities of the stored sessions that must be counted by their events. Sorted and disjoint. */
  readonly ambiguousRanges: readonly TimeRange[];
};

/** From this share of the range on, reading events alone is as fast. */
const maxLiveShare = 0.5;

/** Each live range adds a part to the statement that computes sessions from events. */
const maxLiveRanges = 4;

/**
 * The live ranges of a query, sorted and disjoint. Undefined where stored sessions would not help.
 *
 * Live are the dirty (unsettled) ranges and both edges of the query, where sessions are cut, each widened by the
 * 30 minutes in which an event can still belong to a session that is active there. A session that touches none of them
 * has all its events at settled times, and no event at an unsettled time can join it.
 */
export function liveRangesOf(range: TimeRange, unsettled: readonly TimeRange[]): readonly TimeRange[] | undefined {
  const edges = [range.startMs, range.endMs].map((ms) => ({ startMs: ms, endMs: ms }));
  const near = [...edges, ...unsettled].map(({ startMs, endMs }) => ({
    startMs: startMs - inactivityMs,
    endMs: endMs + inactivityMs,
  }));
  const ranges = fewer(merged(clipped(near, range)));
  const liveMs = ranges.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  return liveMs > maxLiveShare * (range.endMs - range.startMs) ? undefined : ranges;
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

/** The stored sessions that touch no live range, as the text after FROM; further conditions follow with AND. */
export function storedRows(plan: RowScope & EventShare, liveRanges: readonly TimeRange[], bindings: Bindings): string {
  const rows = rowsOf("sessions", plan, bindings, accessTo(plan, "taken"));
  // The ranges are computed here and contain no user input, so they need no binding.
  const apart = liveRanges.map(
    ({ startMs, endMs }) => ` AND (last_activity_ms < ${startMs} OR started >= ${endMs}000)`,
  );
  return `${rows} AND last_activity_ms != null${apart.join("")}`;
}
