import type { Pool } from "pg";
import { epochMs } from "../../store/postgres/epochMs.ts";
import type { ScheduledTime } from "./figures.ts";

/** The scheduled times of monitors that overlap a time (Unix ms), by monitor. A monitor without any is missing. */
export async function scheduledTimes(
  postgres: Pool,
  monitorIds: readonly string[],
  fromMs: number,
  untilMs: number,
): Promise<ReadonlyMap<string, ScheduledTime[]>> {
  const { rows } = await postgres.query<ScheduledTime & { monitorId: string }>(
    `SELECT monitor_id AS "monitorId", ${epochMs("from_at")} AS "fromMs",
       ${epochMs("until_at")} AS "untilMs", interval_ms AS "intervalMs", phase_ms AS "phaseMs"
     FROM monitor_schedules
     WHERE monitor_id = ANY($1) AND from_at < to_timestamp($3::float8 / 1000) AND (until_at IS NULL OR until_at > to_timestamp($2::float8 / 1000))
     ORDER BY from_at`,
    [monitorIds, fromMs, untilMs],
  );
  return Map.groupBy(rows, ({ monitorId }) => monitorId);
}
