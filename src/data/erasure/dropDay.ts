import type { Pool } from "pg";
import type { QuestdbReader } from "../../store/questdbReader.ts";
import type { TableName } from "../../store/tables.ts";
import { whenApplied } from "../../store/whenApplied.ts";
import { brieflyWithoutCommits } from "./commitLock.ts";
import { dayCondition } from "./eraseDay.ts";
import { tombstoneWebsiteId } from "./tombstone.ts";

type Stores = { readonly questdb: QuestdbReader; readonly postgres: Pick<Pool, "connect"> };

/**
 * Drops the partition of a UTC day if `mayGo` says that nothing in it is to be kept, which takes a hundredth of erasing its rows. Nothing is committed
 * between the look and the drop, or a row that came in between would be dropped with it. Resolves to whether it is gone: where the table is
 * busy for longer than commits may wait, it stays.
 */
export async function dropDay(
  { questdb, postgres }: Stores,
  table: TableName,
  day: string,
  mayGo: (limited: AbortSignal) => Promise<boolean>,
  signal: AbortSignal,
): Promise<boolean> {
  const dropped = await brieflyWithoutCommits(postgres, signal, async (limited) => {
    await whenApplied(questdb, table, limited);
    const partitions = await questdb.read(`SELECT name FROM table_partitions('${table}') WHERE name = $1`, [day], {
      signal: limited,
    });
    // Another run may have dropped it.
    if (partitions.length === 0) return true;
    if (!(await mayGo(limited))) return false;
    await questdb.change(`ALTER TABLE ${table} DROP PARTITION LIST '${day}'`);
    return true;
  });
  await whenApplied(questdb, table, signal);
  return dropped ?? false;
}

/** Drops the partition of a UTC day of which nothing but tombstones is left. */
export async function dropEmptyDay(stores: Stores, table: TableName, day: string, signal: AbortSignal): Promise<void> {
  const isEmpty = async (limited: AbortSignal) => {
    const [row] = await stores.questdb.read(
      `SELECT count() "all", sum(CASE WHEN website_id = '${tombstoneWebsiteId}' THEN 0 ELSE 1 END) live
       FROM ${table} WHERE ${dayCondition(day)}`,
      [],
      { signal: limited },
    );
    return Number(row?.["all"]) > 0 && Number(row?.["live"]) === 0;
  };
  await whenApplied(stores.questdb, table, signal);
  if (await isEmpty(signal)) await dropDay(stores, table, day, isEmpty, signal);
}
