import type { PoolClient } from "pg";
import type { Deletion } from "../request/deletionRow.ts";
import { lastingTables, type Target, targetsOf } from "../request/erasureScope.ts";

/**
 * Notes what may not be stored any more: rows of the erasure's tables and range, until it is closed. Records that would be made again from
 * rows that stay are kept out for good; an erasure of these rows lets them in again. Doing it again changes nothing.
 */
export async function blockRanges(client: PoolClient, deletion: Deletion): Promise<void> {
  const lasting = lastingTables(deletion);
  for (const target of targetsOf(deletion)) {
    const { table, fromMs, untilMs } = target;
    await client.query(
      `INSERT INTO erased_ranges (deletion_id, website_id, tables, from_ms, until_ms, visitor_key, lasting)
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
      [deletion.id, deletion.websiteId, [table], fromMs, untilMs, deletion.visitorKey, lasting.includes(table)],
    );
    if (table === "events" && deletion.visitorKey === null) await endLasting(client, deletion.websiteId, target);
  }
}

async function endLasting(client: PoolClient, websiteId: string, { fromMs, untilMs }: Target): Promise<void> {
  await client.query(
    `UPDATE erased_ranges SET lasting = false, closed_at = coalesce(closed_at, clock_timestamp())
     WHERE lasting AND website_id = $1 AND from_ms >= $2 AND until_ms <= $3`,
    [websiteId, fromMs, untilMs],
  );
}

/**
 * Lets rows with times from now on be stored again that are received from now on, once those before are erased: the range ends now. Doing
 * it again changes nothing.
 */
export async function endRangesNow(client: PoolClient, deletionId: string): Promise<void> {
  const now = "floor(extract(epoch FROM now()) * 1000)::bigint";
  await client.query(
    `INSERT INTO erased_ranges (deletion_id, website_id, tables, from_ms, until_ms, visitor_key, closed_at)
     SELECT deletion_id, website_id, tables, ${now}, until_ms, visitor_key, now() FROM erased_ranges
     WHERE deletion_id = $1 AND closed_at IS NULL AND until_ms > ${now} AND NOT 'daily_aggregates' = ANY(tables)
     ON CONFLICT DO NOTHING`,
    [deletionId],
  );
  await client.query(
    `UPDATE erased_ranges SET until_ms = ${now}
     WHERE deletion_id = $1 AND closed_at IS NULL AND until_ms > ${now} AND NOT 'daily_aggregates' = ANY(tables)`,
    [deletionId],
  );
  await client.query(`UPDATE deletions SET until_ms = least(until_ms, ${now}) WHERE id = $1`, [deletionId]);
}

/** Lets rows be stored again that are received from now on. */
export async function closeRanges(client: PoolClient, deletionId: string): Promise<void> {
  await client.query(
    "UPDATE erased_ranges SET closed_at = clock_timestamp() WHERE deletion_id = $1 AND closed_at IS NULL AND NOT lasting",
    [deletionId],
  );
}
