import type { Pool } from "pg";
import { findPartition } from "../../../store/questdb/partition.ts";
import type { QuestdbReader } from "../../../store/questdb/questdbReader.ts";
import type { TableName } from "../../../store/questdb/tables.ts";
import { whenApplied } from "../../../store/questdb/whenApplied.ts";
import { brieflyWithoutCommits } from "../guard/commitLock.ts";
import { tombstoneWebsiteId } from "./tombstone.ts";

type Stores = { readonly questdb: QuestdbReader; readonly postgres: Pick<Pool, "connect"> };

/**
 * Drops the partition of a UTC day if `mayGo` says that nothing in it is to be kept, which takes a hundredth of erasing its rows. Nothing is committed
 * between the look and the drop, or a row that came in between would be dropped with it. Resolves to whether it is gone: where the table is
 * busy for longer than commits may wait, it stays, and so does one that holds other days as well.
 */
export async function dropDay(
  stores: Stores,
  table: TableName,
  day: string,
  mayGo: (limited: AbortSignal) => Promise<boolean>,
  signal: AbortSignal,
): Promise<boolean> {
  const partition = await findPartition(stores.questdb, table, day, signal);
  if (partition?.isWeek) return false;
  return await dropPartition(stores, table, day, mayGo, signal);
}

/** Drops the partition that holds a UTC day if nothing but tombstones is left in it. */
export async function dropEmptyPartition(
  stores: Stores,
  table: TableName,
  day: string,
  signal: AbortSignal,
): Promise<void> {
  const { questdb } = stores;
  await whenApplied(questdb, table, signal);
  const partition = await findPartition(questdb, table, day, signal);
  if (partition === undefined) return;
  const isEmpty = async (limited: AbortSignal) => {
    const live = await questdb.read(
      `SELECT ts FROM ${table} WHERE ${partition.condition} AND website_id != '${tombstoneWebsiteId}' LIMIT 1`,
      [],
      { signal: limited },
    );
    return live.length === 0;
  };
  if (await isEmpty(signal)) await dropPartition(stores, table, day, isEmpty, signal);
}

async function dropPartition(
  { questdb, postgres }: Stores,
  table: TableName,
  day: string,
  mayGo: (limited: AbortSignal) => Promise<boolean>,
  signal: AbortSignal,
): Promise<boolean> {
  const dropped = await brieflyWithoutCommits(postgres, signal, async (limited) => {
    await whenApplied(questdb, table, limited);
    const partition = await findPartition(questdb, table, day, limited);
    // Another run may have dropped it.
    if (partition === undefined) return true;
    if (!(await mayGo(limited))) return false;
    await questdb.change(`ALTER TABLE ${table} DROP PARTITION LIST '${partition.name}'`);
    return true;
  });
  await whenApplied(questdb, table, signal);
  return dropped ?? false;
}
