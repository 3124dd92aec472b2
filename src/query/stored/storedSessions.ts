import type { Row } from "../../store/questdb/questdbReader.ts";
import type { TimeRange } from "../../time/dates.ts";
import type { PreparedStatement } from "../answer/preparedAnswer.ts";
import { Bindings } from "../sql/bindings.ts";
import { accessTo, type EventShare, type RowScope, rowsOf } from "../sql/rowScope.ts";
import { clipped, merged } from "./liveRanges.ts";

/**
 * How the sessions of an answer are computed: those that touch a live range from the events of the windows, which hold
 * all their activities; all others are stored.
 */
export type StoredSessions = {
  readonly liveRanges: readonly TimeRange[];
  readonly windows: readonly TimeRange[];
  /** When the ambiguous stored sessions were active, sorted and disjoint: there events must be read. */
  readonly ambiguousRanges: readonly TimeRange[];
};

const hourMs = 3_600_000;

/**
 * A stored session this long may be one of several that were cut at a UTC midnight, and where it is cut depends on how
 * long before the range it began. Servers have such sessions; they are computed from events.
 */
const longSessionMs = 23 * hourMs;

/** A session cut at such a time lasts two days at most, and the one before it began at most two days earlier. */
const lookBackMs = 72 * hourMs;

/** When a stored session or idle time was last active, Unix ms. */
const lastActiveMs = "coalesce(last_activity_ms, idle_until_ms)";

/**
 * Reads for each live range (by its index) the first and the last moment of the sessions that touch it, and the longest
 * session around.
 */
export function boundsStatement(plan: RowScope & EventShare, liveRanges: readonly TimeRange[]): PreparedStatement {
  const bindings = new Bindings();
  const parts = liveRanges.map(({ startMs, endMs }, place) => {
    const range = { startMs: startMs - lookBackMs, endMs };
    const rows = rowsOf("sessions", { ...plan, range }, bindings, accessTo(plan, "taken"));
    const isNear = `${lastActiveMs} >= ${startMs}`;
    return (
      `SELECT ${place} AS place, min(CASE WHEN ${isNear} THEN started::long ELSE null END) AS began_us, ` +
      `max(CASE WHEN ${isNear} THEN ${lastActiveMs} ELSE null END) AS ended_ms, max(${lastActiveMs} - started::long / 1000) AS longest_ms FROM ${rows}`
    );
  });
  return { sql: parts.join(" UNION ALL "), values: bindings.values };
}

/**
 * Turns the rows of `boundsStatement` into a plan. Undefined, so that all sessions come from events, if a session
 * near a live range lasts 23 hours or more.
 */
export function storedSessionsOf(
  { range }: Pick<RowScope, "range">,
  liveRanges: readonly TimeRange[],
  bounds: readonly Row[],
  ambiguousRanges: readonly TimeRange[],
): StoredSessions | undefined {
  if (bounds.some((row) => Number(row["longest_ms"]) >= longSessionMs)) return undefined;
  const windows = liveRanges.map(({ startMs, endMs }, place) => {
    const row = bounds.find((one) => one["place"] === place);
    const [beganUs, endedMs] = [row?.["began_us"] ?? null, row?.["ended_ms"] ?? null];
    return {
      startMs: beganUs === null ? startMs : Math.min(startMs, Math.floor(Number(beganUs) / 1_000)),
      endMs: endedMs === null ? endMs : Math.max(endMs, Number(endedMs) + 1),
    };
  });
  return { liveRanges, windows: merged(clipped(windows, range)), ambiguousRanges };
}

/**
 * The stored sessions of the plan that touch no live range and meet `conditions`, as the text after FROM; more
 * conditions can follow with AND. A session touches a range when it is active at or after its start and begins before
 * its end.
 *
 * The most selective condition belongs into `conditions`: they are checked first, and each further column of a row
 * found by its index costs a read.
 *
 * Live ranges at the edges only shorten the range, as no remaining session begins in them.
 */
export function storedRowsOf(
  plan: RowScope & EventShare,
  liveRanges: readonly TimeRange[],
  bindings: Bindings,
  conditions: readonly string[] = [],
): string {
  let { startMs, endMs } = plan.range;
  let ended = "";
  // The ranges are computed here and contain no user input, so they need no binding.
  const apart: string[] = [];
  for (const live of liveRanges)
    if (live.startMs <= plan.range.startMs) startMs = live.endMs;
    else if (live.endMs >= plan.range.endMs) {
      endMs = live.startMs;
      ended = ` AND last_activity_ms < ${live.startMs}`;
    } else apart.push(` AND (last_activity_ms < ${live.startMs} OR started >= ${live.endMs}000)`);
  const rows = rowsOf("sessions", { ...plan, range: { startMs, endMs } }, bindings, accessTo(plan, "taken"));
  return `${[rows, ...conditions].join(" AND ")} AND last_activity_ms != null${ended}${apart.join("")}`;
}

/** SQL: whether a session computed from events, with the columns of `sessionsSource`, touches a live range. */
export function touchesLiveRangeSql(liveRanges: readonly TimeRange[]): string {
  const near = liveRanges.map(({ startMs, endMs }) => `(last::long >= ${startMs}000 AND began::long < ${endMs}000)`);
  return near.join(" OR ");
}
