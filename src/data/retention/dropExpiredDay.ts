import type { Pool } from "pg";
import type { QuestdbReader } from "../../store/questdbReader.ts";
import type { TableName } from "../../store/tables.ts";
import { whenApplied } from "../../store/whenApplied.ts";
import { withoutCommits } from "../erasure/commitLock.ts";

/**
 * Drops the partition of a UTC day if `isAllExpired` says that nothing else lives in it, which takes a hundredth of erasing it. Nothing is committed
 * between the look and the drop. Resolves to whether it is gone.
 */
export async function dropExpiredDay(
  { questdb, postgres }: { readonly questdb: QuestdbReader; readonly postgres: Pick<Pool, "connect"> },
  table: TableName,
  day: string,
  isAllExpired: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<boolean> {
  return await withoutCommits(postgres, signal, async () => {
    await whenApplied(questdb, table, signal);
    const partitions = await questdb.read(`SELECT name FROM table_partitions('${table}') WHERE name = $1`, [day]);
    // Another run may have dropped it.
    if (partitions.length === 0) return true;
    if (!(await isAllExpired())) return false;
    await questdb.read(`ALTER TABLE ${table} DROP PARTITION LIST '${day}'`, []);
    await whenApplied(questdb, table, signal);
    return true;
  });
}
