import { setTimeout as pause } from "node:timers/promises";
import type { Pool } from "pg";

/** A spool whose process does not report. What it holds is kept out of the store when its process comes back. */
export type SpoolAway = { readonly place: string; readonly lastSeenAt: string };

const pauseMs = 500;

/** A process that is there reports every two seconds; one that crashed is back in less than this. */
const awayAfter = "30 seconds";

/**
 * Resolves when every spool that a process reports (SpoolReports) is clear of rows that were received before the call, with those whose
 * processes do not report. `onWait` is told what is waited for.
 */
export async function whenSpoolsAreClear(
  postgres: Pick<Pool, "query">,
  onWait: (reason: string) => void,
  signal: AbortSignal,
): Promise<SpoolAway[]> {
  const { rows: times } = await postgres.query<{ now: string }>("SELECT clock_timestamp()::text AS now");
  for (;;) {
    const { rows } = await postgres.query<{ place: string; seenAt: Date; isAway: boolean }>(
      `SELECT place, seen_at AS "seenAt", seen_at < clock_timestamp() - interval '${awayAfter}' AS "isAway"
       FROM spools WHERE clear_until IS NULL OR clear_until < $1 ORDER BY place`,
      [times[0]?.now],
    );
    const waitsFor = rows.find(({ isAway }) => !isAway);
    if (waitsFor === undefined) return rows.map(({ place, seenAt }) => ({ place, lastSeenAt: seenAt.toISOString() }));
    onWait(`the spool ${waitsFor.place}`);
    await pause(pauseMs, undefined, { signal });
  }
}
