import type { JsonObject } from "@bufbuild/protobuf";
import type { Pool } from "pg";
import type { MaintenanceWindowInit } from "../../gen/lookout/services.ts";
import { epochMs } from "../../store/postgres/epochMs.ts";

/** A row of the table maintenance_windows. Times are Unix ms. */
export type MaintenanceWindow = {
  readonly id: string;
  readonly websiteId: string;
  /** Empty for all monitors of the website. */
  readonly monitorIds: readonly string[];
  readonly title: string;
  readonly startsMs: number;
  readonly endsMs: number;
};

/** Columns of the table maintenance_windows, as a MaintenanceWindow names them. */
export const windowColumns = `id, website_id AS "websiteId", monitor_ids AS "monitorIds", title,
  ${epochMs("starts_at")} AS "startsMs", ${epochMs("ends_at")} AS "endsMs"`;

/** A window as answers show it. */
export function windowMessage(window: MaintenanceWindow): MaintenanceWindowInit {
  return {
    id: window.id,
    websiteId: window.websiteId,
    monitorIds: [...window.monitorIds],
    title: window.title,
    startsAt: new Date(window.startsMs).toISOString(),
    endsAt: new Date(window.endsMs).toISOString(),
  };
}

/** A window as the audit log records it. */
export function auditedWindow({ title, monitorIds, startsMs, endsMs }: MaintenanceWindow): JsonObject {
  return {
    title,
    monitorIds: [...monitorIds],
    startsAt: new Date(startsMs).toISOString(),
    endsAt: new Date(endsMs).toISOString(),
  };
}

/** Selects windows that overlap a time (Unix ms), of some websites or of all. */
type WindowScope = {
  readonly websiteIds?: readonly string[];
  readonly fromMs: number;
  /** Without it future windows are included. */
  readonly untilMs?: number;
};

/** Maintenance windows by their start. */
export async function readWindows(
  client: Pick<Pool, "query">,
  { websiteIds, fromMs, untilMs }: WindowScope,
): Promise<MaintenanceWindow[]> {
  const { rows } = await client.query<MaintenanceWindow>(
    `SELECT ${windowColumns} FROM maintenance_windows
     WHERE ($1::text[] IS NULL OR website_id = ANY($1)) AND ends_at > to_timestamp($2::float8 / 1000)
       AND ($3::float8 IS NULL OR starts_at <= to_timestamp($3::float8 / 1000))
     ORDER BY starts_at, id`,
    [websiteIds ?? null, fromMs, untilMs ?? null],
  );
  return rows;
}
