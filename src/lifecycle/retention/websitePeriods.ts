import type { Pool } from "pg";
import type { Config } from "../../config.ts";
import { type OwnPeriods, retentionOf } from "../../websites/website.ts";
import { type PendingRetention, periodsAt, type RetentionDays } from "./periods.ts";

/** What rows without a website follow: they belong to an organization only. */
export const noWebsite = "";

export type PeriodStores = {
  readonly postgres: Pick<Pool, "query">;
  readonly config: { readonly retention: Config["retention"] };
};

type PeriodsRow = OwnPeriods & { readonly id: string; readonly pending: PendingRetention | null };

const columns = `id, raw_events_days AS "rawEventsDays", aggregated_days AS "aggregatedDays", performance_days AS "performanceDays",
  custom_events_days AS "customEventsDays", pending_retention AS pending`;

/**
 * The periods that hold for each live website now, and the service's own for what belongs to no website. A website that is deleted keeps what it
 * has until it is restored or purged, and what PostgreSQL does not know is left alone: both are missing.
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

/** The periods that hold at `timeMs` (Unix ms) for these websites, deleted ones included; unknown ones are missing. */
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
