import type { Pool } from "pg";
import { findPartition } from "../../../store/questdb/partition.ts";
import type { QuestdbReader, ReadOptions } from "../../../store/questdb/questdbReader.ts";
import type { TableName } from "../../../store/questdb/tables.ts";
import { tombstoneWebsiteId } from "../../../store/questdb/tombstone.ts";
import { whenApplied } from "../../../store/questdb/whenApplied.ts";
import { brieflyWithoutCommits } from "../guard/commitLock.ts";

type Stores = { readonly questdb: QuestdbReader; readonly postgres: Pick<Pool, "connect"> };

/**
 * Drops the partition of a UTC day if `mayDrop` says that no row in it must be kept: a hundred times faster than
 * erasing its rows. Commits are blocked between the check and the drop, else a row committed in between would be lost.
 * `mayDrop` reads with the given options, on a connection of its own: a read that lacked rows would drop them.
 * Resolves to whether it was dropped: it stays when the table is busy for longer than commits may be held up, and when
 * the partition holds other days as well.
 */
export async function dropPartitionOfDay(
  stores: Stores,
  table: TableName,
  day: string,
  mayDrop: (options: ReadOptions) => Promise<boolean>,
  signal: AbortSignal,
): Promise<boolean> {
  const partition = await findPartition(stores.questdb, table, day, signal);
  if (partition?.isWeek) return false;
  return await dropPartition(stores, table, day, mayDrop, signal);
}

/** Drops the partition that holds a UTC day (YYYY-MM-DD) if only tombstones are left in it. Safe to repeat. */
export async function dropPartitionIfEmpty(
  stores: Stores,
  table: TableName,
  day: string,
  signal: AbortSignal,
): Promise<void> {
  const { questdb } = stores;
  await whenApplied(questdb, [table], signal);
  const partition = await findPartition(questdb, table, day, signal);
  if (partition === undefined) return;
  const isEmpty = async (options: ReadOptions) => {
    const live = await questdb.read(
      `SELECT ts FROM ${table} WHERE ${partition.condition} AND website_id != '${tombstoneWebsiteId}' LIMIT 1`,
      [],
      options,
    );
    return live.length === 0;
  };
  if (await isEmpty({ signal })) await dropPartition(stores, table, day, isEmpty, signal);
}

async function dropPartition(
  { questdb, postgres }: Stores,
  table: TableName,
  day: string,
  mayDrop: (options: ReadOptions) => Promise<boolean>,
  signal: AbortSignal,
): Promise<boolean> {
  const dropped = await brieflyWithoutCommits(postgres, questdb.shard, signal, async (limited) => {
    await whenApplied(questdb, [table], limited);
    const partition = await findPartition(questdb, table, day, limited);
    // Another run may have dropped it.
    if (partition === undefined) return true;
    if (!(await mayDrop({ signal: limited, isCheck: true }))) return false;
    await questdb.change(`ALTER TABLE ${table} DROP PARTITION LIST '${partition.name}'`);
    return true;
  });
  await whenApplied(questdb, [table], signal);
  return dropped ?? false;
}
