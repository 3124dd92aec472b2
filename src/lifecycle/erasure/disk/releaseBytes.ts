import { poll } from "../../../concurrency/poll.ts";
import { dayCondition } from "../../../store/questdb/partition.ts";
import type { QuestdbReader } from "../../../store/questdb/questdbReader.ts";
import type { TableName } from "../../../store/questdb/tables.ts";
import { tombstoneWebsiteId } from "../../../store/questdb/tombstone.ts";
import { whenApplied } from "../../../store/questdb/whenApplied.ts";
import type { NodeStores } from "../../../store/write/storesOfWebsites.ts";
import { storagesAway } from "../../export/storage/exportStorages.ts";
import type { Deletion } from "../deletion/deletionRow.ts";
import { derivedTargetsOf, targetsOf } from "../deletion/deletionScope.ts";
import { readDeletion } from "../deletion/readDeletion.ts";
import { tombstoneSql } from "../stores/eraseRange.ts";
import type { ErasureTools } from "../stores/erasureTools.ts";
import { storesOf } from "../stores/missedErasures.ts";
import { eraseFromLogs } from "./eraseFromLogs.ts";
import { whenDirectoriesAreGone } from "./whenDirectoriesAreGone.ts";

type Tools = Pick<ErasureTools, "stores" | "postgres" | "config">;

/**
 * Waits until the bytes of erased rows are gone from the disk, and makes QuestDB delete them. Text of rows that no
 * query sees remains in
 *
 * - old column files, until no query reads them: QuestDB lists those that wait;
 * - segments of the write-ahead log. Idle ones are deleted in seconds; a busy writer starts a new segment when the
 *   table's columns change;
 * - the space behind the last row of the newest partition, where QuestDB sorts rows of other days: its columns are
 *   rewritten;
 * - our own logs of accepted rows, their damaged files and dead letters, on any machine.
 *
 * `onWait` gets a description of what it waits for. Safe to repeat.
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
  const nodes = await storesOf(tools, deletion);
  await Promise.all(nodes.map((node) => releaseQuestdbBytes({ ...node, postgres }, deletion, onWait, signal)));
  // Last, since rows of the range may enter logs as long as the erasure runs.
  const logsAway = [...(await eraseFromLogs(tools, deletion, onWait, signal)), ...(await storagesAway(postgres, id))];
  await postgres.query("UPDATE deletions SET gone_at = clock_timestamp(), logs_away = $2 WHERE id = $1", [
    id,
    JSON.stringify(logsAway),
  ]);
}

/** The part of `releaseBytes` that is about the files of one QuestDB. */
export async function releaseQuestdbBytes(
  stores: Pick<NodeStores, "questdb" | "node"> & Pick<ErasureTools, "postgres">,
  deletion: Deletion,
  onWait: (reason: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const { rowsBefore } = deletion;
  const tables = [...targetsOf(deletion), ...derivedTargetsOf(deletion)]
    .map(({ table }) => table)
    .filter((table) => Number(rowsBefore?.[table]) > 0);
  await releaseTables(stores, tables, onWait, signal);
}

/** Waits until no file of these tables of one QuestDB holds what was erased, and makes QuestDB delete it. */
export async function releaseTables(
  { questdb, node, postgres }: Pick<NodeStores, "questdb" | "node"> & Pick<ErasureTools, "postgres">,
  tables: readonly TableName[],
  onWait: (reason: string) => void,
  signal: AbortSignal,
): Promise<void> {
  for (const table of tables) await rewriteNewestDay(questdb, table, signal);
  const rewrittenMs = Date.now();
  await whenDirectoriesAreGone({ questdb, postgres, root: node.settings.root }, tables, onWait, signal);
  await poll(async () => {
    const waiting = await waitingFiles(questdb, tables, rewrittenMs);
    if (waiting > 0) onWait(`${waiting} column files that are still being read`);
    return waiting === 0;
  }, signal);
}

/** Rewrites every column of the newest partition by erasing a tombstone again. */
async function rewriteNewestDay(questdb: QuestdbReader, table: TableName, signal: AbortSignal): Promise<void> {
  const [newest] = await questdb.read(`SELECT max(ts) "last" FROM ${table}`, [], { signal });
  if (typeof newest?.["last"] !== "number") return;
  const last = new Date(newest["last"]).toISOString();
  const where = `${dayCondition(last.slice(0, 10))} AND website_id = '${tombstoneWebsiteId}'`;
  const [found] = await questdb.read(`SELECT count() "rows" FROM ${table} WHERE ${where}`, [], { signal });
  if (Number(found?.["rows"]) === 0)
    await questdb.change(`INSERT INTO ${table} (ts, website_id) VALUES ('${last}', '${tombstoneWebsiteId}')`);
  await questdb.change(`UPDATE ${table} SET ${await tombstoneSql(questdb, table)} WHERE ${where}`);
  await whenApplied(questdb, [table], signal);
}

/** The number of column files from before a time that QuestDB could not delete yet, because they are being read. */
async function waitingFiles(questdb: QuestdbReader, tables: readonly TableName[], beforeMs: number): Promise<number> {
  // A system table that QuestDB creates when it starts.
  const [row] = await questdb.read(
    `SELECT count() "files" FROM "sys.column_versions_purge_log" log JOIN tables() t ON t.directoryName = log.table_name
     WHERE log.completed IS NULL AND log.ts < $1 AND t.table_name IN (${tables.map((table) => `'${table}'`).join(", ") || "''"})`,
    [beforeMs * 1_000],
  );
  return Number(row?.["files"]);
}
