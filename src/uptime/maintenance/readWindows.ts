import type { Pool } from "pg";
import { type MaintenanceWindow, windowColumns } from "./window.ts";

/** Selects windows that overlap a time (Unix ms), of one website or of all. */
export type WindowScope = {
  readonly websiteId?: string;
  readonly fromMs: number;
  /** Without it future windows are included. */
  readonly untilMs?: number;
};

/** Maintenance windows by their start. */
export async function readWindows(
  client: Pick<Pool, "query">,
  { websiteId, fromMs, untilMs }: WindowScope,
): Promise<MaintenanceWindow[]> {
  const { rows } = await client.query<MaintenanceWindow>(
    `SELECT ${windowColumns} FROM maintenance_windows
     WHERE ($1::text IS NULL OR website_id = $1) AND ends_at > to_timestamp($2::float8 / 1000)
       AND ($3::float8 IS NULL OR starts_at <= to_timestamp($3::float8 / 1000))
     ORDER BY starts_at, id`,
    [websiteId ?? null, fromMs, untilMs ?? null],
  );
  return rows;
}
