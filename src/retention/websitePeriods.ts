import type { Pool } from "pg";
import type { Config } from "../config.ts";
import { type OwnPeriods, type PendingRetention, periodsAt, type RetentionDays, retentionOf } from "./periods.ts";

/** The id for rows without a website: they belong to an organization only. */
export const noWebsite = "";

export type PeriodStores = {
  readonly postgres: Pick<Pool, "query">;
  readonly config: { readonly retention: Config["retention"] };
};

type PeriodsRow = OwnPeriods & { readonly id: string; readonly pending: PendingRetention | null };

const columns = `id, raw_events_days AS "rawEventsDays", aggregated_days AS "aggregatedDays", performance_days AS "performanceDays",
  custom_events_days AS "customEventsDays", pending_retention AS pending`;

/**
 * The periods now in effect for each live website, and the service's own for rows without a website. Missing are
 * deleted websites, which keep their data until they are restored or purged, and websites unknown to PostgreSQL, which
 * are left alone.
 */
export async function periodsOfLiveWebsites(
  { postgres, config }: PeriodStores,
  websiteId?: string,
): Promise<ReadonlyMap<string, RetentionDays>> {
  const { rows } = await postgres.query<PeriodsRow>(
    `SELECT ${columns} FROM websites WHERE deleted_at IS NULL AND ($1::text IS NULL OR id = $1)`,
    [websiteId ?? null],
  );
  const found = rows.map((row): [string, RetentionDays] => [row.id, retentionOf(row, config.retention)]);
  if (websiteId === undefined) found.push([noWebsite, serviceRetention(config.retention)]);
  return new Map(found);
}

/**
 * The periods in effect at `timeMs` (Unix ms) for these websites, including deleted ones; unknown websites are missing.
 */
export async function periodsOfWebsites(
  { postgres, config }: PeriodStores,
  websiteIds: readonly string[],
  timeMs: number,
): Promise<ReadonlyMap<string, RetentionDays>> {
  const { rows } = await postgres.query<PeriodsRow>(`SELECT ${columns} FROM websites WHERE id = ANY($1)`, [
    [...new Set(websiteIds)],
  ]);
  return new Map(rows.map((row) => [row.id, periodsAt(retentionOf(row, config.retention), row.pending, timeMs)]));
}

function serviceRetention(retention: Config["retention"]): RetentionDays {
  return retentionOf(
    { rawEventsDays: null, aggregatedDays: null, performanceDays: null, customEventsDays: null },
    retention,
  );
}
