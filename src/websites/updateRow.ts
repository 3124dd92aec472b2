import type { PoolClient } from "pg";
import type { RetentionDays } from "../retention/periods.ts";
import { updateLockedRow } from "../store/postgres/updateLockedRow.ts";
import { type StoredWebsite, storedWebsiteColumns } from "./website.ts";

/** Values by the columns of the table websites. */
type Columns = Readonly<Record<string, unknown>>;

/**
 * Writes the given columns of a website that the transaction has locked, and its time of change; undefined columns
 * stay.
 */
export async function updateRow(client: PoolClient, id: string, columns: Columns): Promise<StoredWebsite> {
  return await updateLockedRow<StoredWebsite>(client, "websites", id, columns, storedWebsiteColumns);
}

/** Retention periods as the columns that store them. */
export function periodColumns(periods: Partial<RetentionDays>): Columns {
  return {
    raw_events_days: periods.rawEventsDays,
    aggregated_days: periods.aggregatedDays,
    performance_days: periods.performanceDays,
    custom_events_days: periods.customEventsDays,
  };
}
