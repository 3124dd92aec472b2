import type { PoolClient } from "pg";
import type { Deletion } from "../deletion/deletionRow.ts";
import { dailyTables, lastingTables, type Target, targetsOf } from "../deletion/deletionScope.ts";

/**
 * Blocks the erasure's tables and range: rows in it are not stored until the range is closed. Derived records that
 * would be computed again from rows that stay are blocked permanently, until those rows are erased too. Safe to repeat.
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
    if (table === "events" && deletion.visitorKey === null) await unblockDerived(client, deletion.websiteId, target);
  }
}

async function unblockDerived(client: PoolClient, websiteId: string, { fromMs, untilMs }: Target): Promise<void> {
  await client.query(
    `UPDATE erased_ranges SET lasting = false, closed_at = coalesce(closed_at, clock_timestamp())
     WHERE lasting AND website_id = $1 AND from_ms >= $2 AND until_ms <= $3`,
    [websiteId, fromMs, untilMs],
  );
}

/**
 * Ends the range now, once the rows before are erased: rows with times from now on are stored again if they are
 * received from now on. Safe to repeat.
 */
export async function endRangesNow(client: PoolClient, deletionId: string): Promise<void> {
  const now = "floor(extract(epoch FROM now()) * 1000)::bigint";
  await client.query(
    `INSERT INTO erased_ranges (deletion_id, website_id, tables, from_ms, until_ms, visitor_key, closed_at)
     SELECT deletion_id, website_id, tables, ${now}, until_ms, visitor_key, now() FROM erased_ranges
     WHERE deletion_id = $1 AND closed_at IS NULL AND until_ms > ${now} AND NOT tables && $2::text[]
     ON CONFLICT DO NOTHING`,
    [deletionId, dailyTables],
  );
  await client.query(
    `UPDATE erased_ranges SET until_ms = ${now}
     WHERE deletion_id = $1 AND closed_at IS NULL AND until_ms > ${now} AND NOT tables && $2::text[]`,
    [deletionId, dailyTables],
  );
  await client.query(`UPDATE deletions SET until_ms = least(until_ms, ${now}) WHERE id = $1`, [deletionId]);
}

/**
 * Closes the ranges that are not permanent: their rows are stored again if they are received from now on. Safe to
 * repeat.
 */
export async function closeRanges(client: PoolClient, deletionId: string): Promise<void> {
  await client.query(
    "UPDATE erased_ranges SET closed_at = clock_timestamp() WHERE deletion_id = $1 AND closed_at IS NULL AND NOT lasting",
    [deletionId],
  );
}
