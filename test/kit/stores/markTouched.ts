import { touchDays } from "../../../src/aggregation/touchedDayQueue.ts";
import { utcDayOf } from "../../../src/time/utcDay.ts";
import { inDatabase } from "./inDatabase.ts";

/**
 * Says that the UTC days of these times (Unix ms) changed as a whole, as ingestion does by the hour: rows put straight into QuestDB would
 * otherwise be missing in answers that read stored sessions. Before the rows are inserted.
 */
export async function markTouched(websiteId: string, timesMs: readonly number[]): Promise<void> {
  const days = [...new Set(timesMs.map(utcDayOf))].map((day) => ({ websiteId, day }));
  const firstMs = Math.min(...timesMs);
  await inDatabase(async (database) => {
    await touchDays(database, days);
    await database.query(
      "UPDATE websites SET first_event_at = least(first_event_at, date_trunc('hour', to_timestamp($2))) WHERE id = $1",
      [websiteId, firstMs / 1_000],
    );
  });
}
