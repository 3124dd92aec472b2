import { setTimeout as pause } from "node:timers/promises";
import { dayCondition } from "../../../store/questdb/partition.ts";
import type { TableName } from "../../../store/questdb/tables.ts";
import { whenApplied } from "../../../store/questdb/whenApplied.ts";
import { storagesAway } from "../../export/storage/exportStorages.ts";
import { derivedTargetsOf, targetsOf } from "../request/erasureScope.ts";
import { readDeletion } from "../request/findDeletion.ts";
import { tombstoneSql } from "../steps/eraseDay.ts";
import type { ErasureTools } from "../steps/erasureTools.ts";
import { tombstoneWebsiteId } from "../steps/tombstone.ts";
import { forgetOnDisk } from "./forgetOnDisk.ts";
import { whenDirectoriesAreGone } from "./whenDirectoriesAreGone.ts";

type Tools = Pick<ErasureTools, "questdb" | "postgres" | "config" | "log">;

const pauseMs = 500;

/**
 * Makes the bytes of erased rows go from the disk and resolves when they are gone. Text of rows that no query sees stays
 *
 * - in column files from before, until nobody reads them: QuestDB notes which wait;
 * - in the segments of the write-ahead log. Idle ones go in seconds; a busy writer begins a new segment when the table's columns change;
 * - beyond the last row of the newest partition, where QuestDB parks rows of other days: its columns are written anew;
 * - in logs of accepted rows, their damaged files and dead letters of our own processes, on whatever machine.
 *
 * `onWait` is told what is waited for. Doing it again is safe.
 */
export async function releaseBytes(
  tools: Tools,
  id: string,
  onWait: (reason: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const { postgres } = tools;
  const deletion = await readDeletion(postgres, id);
  await postgres.query("UPDATE deletions SET phase = 'releasing' WHERE id = $1", [id]);
  const { rowsBefore } = deletion;
  const tables = [...targetsOf(deletion), ...derivedTargetsOf(deletion)]
    .map(({ table }) => table)
    .filter((table) => Number(rowsBefore?.[table]) > 0);
  for (const table of tables) await rewriteNewestDay(tools, table, signal);
  const rewrittenMs = Date.now();
  await whenDirectoriesAreGone(tools, tables, onWait, signal);
  for (;;) {
    const waiting = await waitingFiles(tools, tables, rewrittenMs);
    if (waiting === 0) break;
    onWait(`${waiting} column files that somebody reads`);
    await pause(pauseMs, undefined, { signal });
  }
  // Last, since rows of the range may come into logs as long as the erasure runs.
  const spoolsAway = [...(await forgetOnDisk(tools, deletion, onWait, signal)), ...(await storagesAway(postgres, id))];
  await postgres.query("UPDATE deletions SET gone_at = clock_timestamp(), spools_away = $2 WHERE id = $1", [
    id,
    JSON.stringify(spoolsAway),
  ]);
}

/** Writes every column of the newest partition anew, by erasing a tombstone again. */
async function rewriteNewestDay({ questdb }: Tools, table: TableName, signal: AbortSignal): Promise<void> {
  const [newest] = await questdb.read(`SELECT max(ts) "last" FROM ${table}`, [], { signal });
  if (typeof newest?.["last"] !== "number") return;
  const last = new Date(newest["last"]).toISOString();
  const where = `${dayCondition(last.slice(0, 10))} AND website_id = '${tombstoneWebsiteId}'`;
  const [found] = await questdb.read(`SELECT count() "rows" FROM ${table} WHERE ${where}`, [], { signal });
  if (Number(found?.["rows"]) === 0)
    await questdb.change(`INSERT INTO ${table} (ts, website_id) VALUES ('${last}', '${tombstoneWebsiteId}')`);
  await questdb.change(`UPDATE ${table} SET ${await tombstoneSql(questdb, table)} WHERE ${where}`);
  await whenApplied(questdb, table, signal);
}

/** Column files from before a time that QuestDB could not delete yet, since somebody reads them. */
async function waitingFiles({ questdb }: Tools, tables: readonly TableName[], beforeMs: number): Promise<number> {
  // QuestDB makes this table of its own when it starts.
  const [row] = await questdb.read(
    `SELECT count() "files" FROM "sys.column_versions_purge_log" log JOIN tables() t ON t.directoryName = log.table_name
     WHERE log.completed IS NULL AND log.ts < $1 AND t.table_name IN (${tables.map((table) => `'${table}'`).join(", ") || "''"})`,
    [beforeMs * 1_000],
  );
  return Number(row?.["files"]);
}
