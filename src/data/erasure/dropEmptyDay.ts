import type { Pool } from "pg";
import type { QuestdbReader } from "../../store/questdbReader.ts";
import type { TableName } from "../../store/tables.ts";
import { whenApplied } from "../../store/whenApplied.ts";
import { brieflyWithoutCommits } from "./commitLock.ts";
import { dayCondition } from "./eraseDay.ts";
import { tombstoneWebsiteId } from "./tombstone.ts";

/**
 * Drops the partition of a UTC day of which nothing but tombstones is left. Nothing is committed between the look and the drop, or a
 * row that came in between would be dropped with it. Resolves to whether it was dropped: where the table is busy the tombstones stay.
 */
export async function dropEmptyDay(
  { questdb, postgres }: { readonly questdb: QuestdbReader; readonly postgres: Pick<Pool, "connect"> },
  table: TableName,
  day: string,
  signal: AbortSignal,
): Promise<boolean> {
  const isEmpty = async (limited: AbortSignal) => {
    await whenApplied(questdb, table, limited);
    const [row] = await questdb.read(
      `SELECT count() "all", sum(CASE WHEN website_id = '${tombstoneWebsiteId}' THEN 0 ELSE 1 END) live
       FROM ${table} WHERE ${dayCondition(day)}`,
      [],
      { signal: limited },
    );
    return Number(row?.["all"]) > 0 && Number(row?.["live"]) === 0;
  };
  if (!(await isEmpty(signal))) return false;
  const dropped = await brieflyWithoutCommits(postgres, signal, async (limited) => {
    if (!(await isEmpty(limited))) return false;
    await questdb.change(`ALTER TABLE ${table} DROP PARTITION LIST '${day}'`);
    return true;
  });
  await whenApplied(questdb, table, signal);
  return dropped ?? false;
}
