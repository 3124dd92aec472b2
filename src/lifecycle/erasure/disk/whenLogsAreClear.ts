import type { Pool } from "pg";
import { poll } from "../../../concurrency/poll.ts";
import type { LogAway } from "../deletion/deletionRow.ts";

/** A running process reports every two seconds; one that crashed is back within this time. */
const silentAfter = "30 seconds";

/**
 * Resolves when every log that a process reports (LogReports) is clear of rows received before the call. Returns the
 * logs whose processes do not report. `onWait` gets a description of what it waits for.
 */
export async function whenLogsAreClear(
  postgres: Pick<Pool, "query">,
  onWait: (reason: string) => void,
  signal: AbortSignal,
): Promise<LogAway[]> {
  const { rows: times } = await postgres.query<{ now: string }>("SELECT clock_timestamp()::text AS now");
  return await poll(async () => {
    const { rows } = await postgres.query<{ place: string; seenAt: Date; isSilent: boolean }>(
      `SELECT place, seen_at AS "seenAt", seen_at < clock_timestamp() - interval '${silentAfter}' AS "isSilent"
       FROM log_directories WHERE clear_until IS NULL OR clear_until < $1 ORDER BY place`,
      [times[0]?.now],
    );
    const waitsFor = rows.find(({ isSilent }) => !isSilent);
    if (waitsFor === undefined) return rows.map(({ place, seenAt }) => ({ place, lastSeenAt: seenAt.toISOString() }));
    onWait(`the log ${waitsFor.place}`);
    return undefined;
  }, signal);
}
