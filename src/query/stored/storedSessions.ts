import type { Row } from "../../store/questdb/questdbReader.ts";
import type { PreparedStatement } from "../answer/preparedAnswer.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { TimeRange } from "../request/dates.ts";
import { Bindings } from "../sql/bindings.ts";
import { accessTo, rowsOf } from "../sql/rowScope.ts";
import { mostTimes } from "../sql/timesSql.ts";
import { clipped, merged } from "./liveTimes.ts";

/**
 * How the sessions of an answer are put together: those that come near a live time are made of the events of the windows, which hold all
 * their activities, and all others are stored.
 */
export type StoredSessions = {
  readonly liveTimes: readonly TimeRange[];
  readonly windows: readonly TimeRange[];
  /** When the stored sessions are that do not tell what is asked of them, in order and apart: then events must be asked. */
  readonly untold: readonly TimeRange[];
  /** Both, in order and apart, where they are few and short enough that all else is taken from stored sessions. */
  readonly looseTimes: readonly TimeRange[] | undefined;
};

const hourMs = 3_600_000;

/**
 * A stored session that lasts so long may be one of several that a UTC day cut apart, and where it is cut depends on how long before the
 * range it began. Servers have such sessions; they are made of events.
 */
const longSessionMs = 23 * hourMs;

/** A session that was cut from one of these times lasts two days at most, and the one before it began at most two days earlier. */
const lookBackMs = 72 * hourMs;

/** When a stored session, or idle time, was last active, in Unix ms. */
export const lastActiveMs = "coalesce(last_activity_ms, idle_until_ms)";

/** Reads, for each live time by its place, the first and the last moment of the sessions that come near it, and the longest around. */
export function boundsStatement(plan: ParameterPlan, liveTimes: readonly TimeRange[]): PreparedStatement {
  const bindings = new Bindings();
  const parts = liveTimes.map(({ startMs, endMs }, place) => {
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

/** Stored sessions by the rows of `boundsStatement`. Undefined where they cannot be used. */
export function storedSessionsOf(
  { range }: Pick<ParameterPlan, "range">,
  liveTimes: readonly TimeRange[],
  bounds: readonly Row[],
  untold: readonly TimeRange[],
): StoredSessions | undefined {
  if (bounds.some((row) => Number(row["longest_ms"]) >= longSessionMs)) return undefined;
  const windows = liveTimes.map(({ startMs, endMs }, place) => {
    const row = bounds.find((one) => one["place"] === place);
    const [beganUs, endedMs] = [row?.["began_us"] ?? null, row?.["ended_ms"] ?? null];
    return {
      startMs: beganUs === null ? startMs : Math.min(startMs, Math.floor(Number(beganUs) / 1_000)),
      endMs: endedMs === null ? endMs : Math.max(endMs, Number(endedMs) + 1),
    };
  });
  const own = merged(clipped(windows, range));
  return { liveTimes, windows: own, untold, looseTimes: fewOf(merged([...own, ...untold]), range) };
}

/** From this share of the range on, events are asked as fast about all of it. */
const mostLooseShare = 0.25;

function fewOf(times: readonly TimeRange[], { startMs, endMs }: TimeRange): readonly TimeRange[] | undefined {
  const looseMs = times.reduce((sum, time) => sum + time.endMs - time.startMs, 0);
  return times.length > mostTimes || looseMs > mostLooseShare * (endMs - startMs) ? undefined : times;
}

/**
 * The stored sessions that count and meet some conditions, as the text after FROM; further ones follow with AND. A session comes near a
 * live time when it is active at or after its start and begins before its end.
 *
 * What leaves few rows is to be one of `conditions`: they are checked first, and each further column of a row found by its index is waited for.
 *
 * Live times at the edges of the range only make it shorter: none of the sessions that it leaves begins in them. With idle times, those that
 * come near no live time are there as well.
 */
export function storedRowsOf(
  plan: ParameterPlan,
  liveTimes: readonly TimeRange[],
  bindings: Bindings,
  conditions: readonly string[] = [],
  withIdleTimes = false,
): string {
  const lastActive = withIdleTimes ? ["last_activity_ms", "idle_until_ms"] : ["last_activity_ms"];
  // Each column by itself, which QuestDB compiles.
  const anyOf = (is: string) => lastActive.map((column) => `${column} ${is}`).join(" OR ");
  let { startMs, endMs } = plan.range;
  let ended = "";
  // The times were computed here, none was sent.
  const apart: string[] = [];
  for (const live of liveTimes)
    if (live.startMs <= plan.range.startMs) startMs = live.endMs;
    else if (live.endMs >= plan.range.endMs) {
      endMs = live.startMs;
      ended = ` AND (${anyOf(`< ${live.startMs}`)})`;
    } else apart.push(` AND (${anyOf(`< ${live.startMs}`)} OR started >= ${live.endMs}000)`);
  const rows = rowsOf("sessions", { ...plan, range: { startMs, endMs } }, bindings, accessTo(plan, "taken"));
  return `${[rows, ...conditions].join(" AND ")} AND (${anyOf("!= null")})${ended}${apart.join("")}`;
}

/** Whether sessions made of events, with the columns of `sessionsSource`, come near a live time. */
export function isNearSql(liveTimes: readonly TimeRange[]): string {
  const near = liveTimes.map(({ startMs, endMs }) => `(last::long >= ${startMs}000 AND began::long < ${endMs}000)`);
  return near.join(" OR ");
}
