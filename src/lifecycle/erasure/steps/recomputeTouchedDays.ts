import { correctDay } from "../../../aggregation/correctTouchedDays.ts";
import { takeTouchedDay, touchDays, whenDaysAreFree } from "../../../aggregation/touchedDayQueue.ts";
import { poll } from "../../../concurrency/poll.ts";
import { makeRecordsAround } from "../../../query/daily/makeRecordsAround.ts";
import { hasFigures } from "../../../retention/kinds.ts";
import { dayMs, startOfUtcDay, utcDayOf } from "../../../time/utcDay.ts";
import { daysOf } from "../deletion/daysOf.ts";
import { readDeletion } from "../deletion/readDeletion.ts";
import { eraseRange } from "../stores/eraseRange.ts";
import type { ErasureTools, NodeTools } from "../stores/erasureTools.ts";
import { storesToErase, storesWithLog } from "../stores/missedErasures.ts";

/**
 * Recomputes the sessions, daily records and daily figures of the days that an erasure touched from the remaining events, and erases
 * placeholder rows of records that no longer exist, because their pages are text of erased events.
 */
export async function recomputeTouchedDays(
  tools: Pick<ErasureTools, "stores" | "records" | "postgres" | "config" | "log">,
  id: string,
  settleMs: number,
  signal: AbortSignal,
): Promise<void> {
  const deletion = await readDeletion(tools.postgres, id);
  const { websiteId, touchedDays } = deletion;
  // What was computed from events before they were erased must be written before ours.
  await whenDaysAreFree(
    tools.postgres,
    withNeighbours(touchedDays).map((day) => ({ websiteId, day })),
  );
  const nodes = async () =>
    await storesToErase(tools.postgres, [await tools.records.of(websiteId)], { kind: "deletion", id });
  for (const day of touchedDays) {
    const touched = { websiteId, day };
    const work = async () => {
      for (const node of await nodes()) await correctDay(node, websiteId, day, signal);
    };
    await poll(async () => {
      await touchDays(tools.postgres, [touched]);
      return await takeTouchedDay(tools.postgres, touched, settleMs, work);
    }, signal);
  }
  for (const node of await nodes()) await makeRecordsAround(tools, node, websiteId, touchedDays, signal);
  // What is erased before the placeholder comes through the log, or before the consumer has noted that it has, would be stored afterwards.
  for (const node of await storesWithLog(tools, deletion, signal))
    await eraseEmptyRecords(node, websiteId, touchedDays, signal);
}

/** The days and those around them whose correction reads or writes across midnight. */
function withNeighbours(days: readonly string[]): string[] {
  const around = days.flatMap((day) => {
    const startMs = startOfUtcDay(day);
    return [-3, -2, -1, 0, 1, 2, 3].map((offset) => utcDayOf(startMs + offset * dayMs));
  });
  return [...new Set(around)].sort();
}

/** Erases the placeholder rows of sessions and pages that no longer exist. */
export async function eraseEmptyRecords(
  { questdb }: Pick<NodeTools, "questdb">,
  websiteId: string,
  touchedDays: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const times = touchedDays.map((day) => startOfUtcDay(day));
  if (times.length === 0) return;
  // A session lasts two days at most, and an event can end the session of the day before.
  const values = [websiteId, (Math.min(...times) - dayMs) * 1_000, (Math.max(...times) + 3 * dayMs) * 1_000];
  for (const { table, only } of emptyRecords) {
    const rows = { table, sql: `website_id = $1 AND ts >= $2 AND ts < $3 AND ${only}`, values };
    for (const day of await daysOf({ questdb }, rows, signal)) await eraseRange(questdb, { ...rows, day }, signal);
  }
}

const emptyRecords = [
  // Idle times are kept: later events may turn them into sessions.
  { table: "sessions", only: "last_activity_ms IS NULL AND idle_until_ms IS NULL" },
  { table: "daily_aggregates", only: "total_views = 0" },
  // The total of a day says that its figures were made.
  { table: "daily_figures", only: `NOT (${hasFigures}) AND field != 'total'` },
] as const;
