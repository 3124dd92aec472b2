import type { PoolClient } from "pg";
import type { Monitor } from "../monitor/monitor.ts";

/**
 * Records from when on a monitor is scheduled, and how often: figures count slots as checked or unknown only within
 * these times. Part of the transaction that changes the monitor.
 */
export async function scheduleChange(client: PoolClient, monitor: Monitor): Promise<void> {
  const { id, status, intervalMs, phaseMs } = monitor;
  const isChecked = status === "active";
  await client.query(
    `UPDATE monitor_schedules SET until_at = now()
     WHERE monitor_id = $1 AND until_at IS NULL AND NOT ($2 AND interval_ms = $3 AND phase_ms = $4)`,
    [id, isChecked, intervalMs, phaseMs],
  );
  if (!isChecked) return;
  await client.query(
    `INSERT INTO monitor_schedules (monitor_id, from_at, interval_ms, phase_ms)
     SELECT $1, now(), $2, $3 WHERE NOT EXISTS (SELECT 1 FROM monitor_schedules WHERE monitor_id = $1 AND until_at IS NULL)
     ON CONFLICT (monitor_id, from_at) DO UPDATE SET until_at = NULL, interval_ms = excluded.interval_ms, phase_ms = excluded.phase_ms`,
    [id, intervalMs, phaseMs],
  );
}
