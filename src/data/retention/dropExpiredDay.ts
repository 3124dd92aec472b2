import type { Pool } from "pg";
import type { QuestdbReader } from "../../store/questdbReader.ts";
import type { TableName } from "../../store/tables.ts";
import { whenApplied } from "../../store/whenApplied.ts";
import { withoutCommits } from "../erasure/commitLock.ts";
import { dayCondition } from "../erasure/eraseDay.ts";
import { tombstoneWebsiteId } from "../erasure/tombstone.ts";

/**
 * Drops the partition of a UTC day when everything that lives in it meets the condition, which takes a hundredth of erasing it. Nothing is committed
 * between the look and the drop. Resolves to whether it is gone.
 */
export async function dropExpiredDay(
  { questdb, postgres }: { readonly questdb: QuestdbReader; readonly postgres: Pick<Pool, "connect"> },
  table: TableName,
  day: string,
  expired: { readonly sql: string; readonly values: readonly string[] },
  signal: AbortSignal,
): Promise<boolean> {
  return await withoutCommits(postgres, signal, async () => {
    await whenApplied(questdb, table, signal);
    const [row] = await questdb.read(
      `SELECT count() "all", sum(CASE WHEN website_id = '${tombstoneWebsiteId}' OR ${expired.sql} THEN 0 ELSE 1 END) others
       FROM ${table} WHERE ${dayCondition(day)}`,
      expired.values,
      { signal },
    );
    // Another run may have dropped it.
    if (Number(row?.["all"]) === 0) return true;
    if (Number(row?.["others"]) > 0) return false;
    await questdb.read(`ALTER TABLE ${table} DROP PARTITION LIST '${day}'`, []);
    await whenApplied(questdb, table, signal);
    return true;
  });
}
