import type { QuestdbReader, Row } from "../../store/questdb/questdbReader.ts";
import type { TimeRange } from "../../time/dates.ts";
import { clipped, merged } from "../../time/timeRanges.ts";
import { dayMs, hourMs } from "../../time/utcDay.ts";
import { dimensionsOf, measuresOf } from "../catalogue/typeParts.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import { Bindings } from "../sql/bindings.ts";
import { measureOf } from "../sql/measures.ts";
import { accessTo, rowsOf } from "../sql/rowScope.ts";
import { isByColumn, readAmbiguousRanges } from "./sessionsByColumn.ts";
import { storedColumn } from "./sessionsSource.ts";
import { liveRangesOf, type StoredSessions } from "./storedSessions.ts";
import type { FindUnsettledRanges } from "./unsettledRanges.ts";

/** Shorter ranges are answered from events as fast, without a query to PostgreSQL first. */
const minRangeMs = 2 * dayMs;

/** Whether it is worth asking which stored sessions are settled. */
export function wantsStoredSessions({ type, range, filters }: ParameterPlan): boolean {
  if (filters.length > 0 || range.endMs - range.startMs < minRangeMs) return false;
  if (type.shape.kind === "session_durations") return true;
  const all = measuresOf(type);
  const names = all.filter((name) => measureOf(name).relation === "sessions");
  if (names.length === 0) return all.includes("active_sessions") && (type.only === "custom" || isByColumn(type));
  // Of page views alone, stored sessions have only the first and the last path.
  if (type.only !== undefined && !names.every((name) => name === "sessions" || name === "session_visitors"))
    return false;
  return dimensionsOf(type).every((field) => storedColumn(type, field) !== undefined);
}

/** Which sessions of a plan are stored; undefined where all are computed from events. */
export async function findStoredSessions(
  plan: ParameterPlan,
  questdb: Pick<QuestdbReader, "read">,
  findUnsettledRanges: FindUnsettledRanges,
): Promise<StoredSessions | undefined> {
  const unsettled = await findUnsettledRanges(plan.websiteIds, plan.range);
  const liveRanges = unsettled === undefined ? undefined : liveRangesOf(plan.range, unsettled);
  if (liveRanges === undefined) return undefined;
  const [bounds, ambiguousRanges] = await Promise.all([
    readBounds(plan, liveRanges, questdb),
    isByColumn(plan.type) ? readAmbiguousRanges(plan, liveRanges, questdb) : [],
  ]);
  if (bounds.some((row) => Number(row["longest_ms"]) >= longSessionMs)) return undefined;
  const windows = bounds.map((row) => ({ startMs: Number(row["start_ms"]), endMs: Number(row["end_ms"]) }));
  return { liveRanges, windows: merged(clipped(windows, plan.range)), ambiguousRanges };
}

/**
 * A stored session this long may be one of several that were cut at a UTC midnight, and where it is cut depends on how
 * long before the range it began. Servers have such sessions; they are computed from events.
 */
const longSessionMs = 23 * hourMs;

/** A session cut at such a time lasts two days at most, and the one before it began at most two days earlier. */
const lookBackMs = 3 * dayMs;

/**
 * For each live range, from the start of the first to the end of the last session or idle time that touches it, and the
 * longest one around. An event that is not stored yet can make an idle time a session.
 */
function readBounds(
  plan: ParameterPlan,
  liveRanges: readonly TimeRange[],
  questdb: Pick<QuestdbReader, "read">,
): Promise<Row[]> {
  const bindings = new Bindings();
  const lastMs = "coalesce(last_activity_ms, idle_until_ms)";
  const parts = liveRanges.map(({ startMs, endMs }) => {
    const range = { startMs: startMs - lookBackMs, endMs };
    const rows = rowsOf("sessions", { ...plan, range }, bindings, accessTo(plan, "taken"));
    return (
      `SELECT least(${startMs}, coalesce(min(CASE WHEN last_ms >= ${startMs} THEN began_ms END), ${startMs})) AS start_ms, ` +
      `greatest(${endMs}, coalesce(max(last_ms) + 1, ${endMs})) AS end_ms, max(last_ms - began_ms) AS longest_ms ` +
      `FROM (SELECT started::long / 1000 AS began_ms, ${lastMs} AS last_ms FROM ${rows})`
    );
  });
  return questdb.read(parts.join(" UNION ALL "), bindings.values);
}
