import type { Pool } from "pg";
import { epochMs } from "../../store/postgres/epochMs.ts";
import type { DueSlot } from "./slots.ts";

/** The last slot that was recorded as skipped, Unix ms; null without one. */
export async function uncheckedSlotMs(postgres: Pick<Pool, "query">, monitorId: string): Promise<number | null> {
  const { rows } = await postgres.query<{ dueMs: number | null }>(
    `SELECT ${epochMs("unchecked_due_at")} AS "dueMs" FROM monitors WHERE id = $1`,
    [monitorId],
  );
  return rows[0]?.dueMs ?? null;
}

/** Records that a slot was skipped because it was too late for it, so that the monitor is not considered stuck. */
export async function recordUncheckedSlot(postgres: Pick<Pool, "query">, { monitorId, dueMs }: DueSlot): Promise<void> {
  await postgres.query(
    `UPDATE monitors SET unchecked_due_at = greatest(unchecked_due_at, to_timestamp($2::float8 / 1000)) WHERE id = $1`,
    [monitorId, dueMs],
  );
}
