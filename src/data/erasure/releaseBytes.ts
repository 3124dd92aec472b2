import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { inTransaction } from "../../store/inTransaction.ts";
import type { TableName } from "../../store/tables.ts";
import { whenApplied } from "../../store/whenApplied.ts";
import { dayCondition, tombstoneSql } from "./eraseDay.ts";
import { derivedTargetsOf, targetsOf } from "./erasureScope.ts";
import type { ErasureTools } from "./erasureTools.ts";
import { readDeletion } from "./findDeletion.ts";
import { forgetOnDisk } from "./forgetOnDisk.ts";
import { staleDirectories, stillThere } from "./questdbFiles.ts";
import { rollColumn, tombstoneWebsiteId } from "./tombstone.ts";

type Tools = Pick<ErasureTools, "questdb" | "postgres" | "config" | "log">;

const pauseMs = 500;

/** Names the lock of those who make a table begin new segments. */
const rollLock = 7_253_964;

/**
 * Makes the bytes of erased rows go from the disk and resolves when they are gone. Text of rows that no query sees stays
 *
 * - in column files from before, until nobody reads them: QuestDB notes which wait;
 * - in the segments of the write-ahead log. Idle ones go in seconds; a busy writer begins a new segment when the table's columns change;
 * - beyond the last row of the newest partition, where QuestDB parks rows of other days: its columns are written anew;
 * - in our own spools and dead letters.
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
  await forgetOnDisk(tools, deletion, onWait, signal);
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
  await postgres.query("UPDATE deletions SET gone_at = clock_timestamp() WHERE id = $1", [id]);
}

/** Where QuestDB's files are not to be seen, it is given the time that its settings may need. */
async function whenDirectoriesAreGone(
  tools: Tools,
  tables: readonly TableName[],
  onWait: (reason: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const { root } = tools.config.questdb;
  if (root === undefined) {
    for (const table of tables) await beginNewSegments(tools, table, signal);
    onWait("QuestDB deletes segments of its write-ahead log");
    if (tables.length > 0) await pause(await longestReleaseMs(tools), undefined, { signal });
    return;
  }
  const staleOf = new Map<TableName, string[]>();
  for (const table of tables) staleOf.set(table, await staleDirectories(join(root, await directoryOf(tools, table))));
  let looked = { atMs: Date.now(), taken: await transactionsOf(tools) };
  for (;;) {
    const there = [...staleOf].filter(([, directories]) => stillThere(directories).length > 0);
    if (there.length === 0) return;
    onWait(`directories of ${there.map(([table]) => table).join(", ")}`);
    if (Date.now() > looked.atMs + busyLookMs) {
      const taken = await transactionsOf(tools);
      // An idle writer would only be kept open by the change.
      for (const [table] of there)
        if (taken.get(table) !== looked.taken.get(table)) await beginNewSegments(tools, table, signal);
      looked = { atMs: Date.now(), taken: await transactionsOf(tools) };
    }
    await pause(pauseMs, undefined, { signal });
  }
}

/** A table that took nothing in this time has idle writers, whose segments go by themselves. */
const busyLookMs = 5_000;

/** The last transaction of each table. */
async function transactionsOf({ questdb }: Tools): Promise<ReadonlyMap<string, number>> {
  const rows = await questdb.read("SELECT name, sequencerTxn taken FROM wal_tables()", []);
  return new Map(rows.map((row) => [String(row["name"]), Number(row["taken"])]));
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

/** A change of columns is all that makes a busy writer begin a new segment before its 200,000th row. */
async function beginNewSegments({ questdb, postgres }: Tools, table: TableName, signal: AbortSignal): Promise<void> {
  await inTransaction(postgres, async (client) => {
    await client.query("SELECT pg_advisory_xact_lock($1, hashtext($2))", [rollLock, table]);
    await questdb.change(`ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS ${rollColumn} BYTE`);
    await questdb.change(`ALTER TABLE ${table} DROP COLUMN ${rollColumn}`);
    await whenApplied(questdb, table, signal);
  });
}

async function directoryOf({ questdb }: Tools, table: TableName): Promise<string> {
  const [row] = await questdb.read("SELECT directoryName name FROM tables() WHERE table_name = $1", [table]);
  return String(row?.["name"]);
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

/** How long QuestDB takes to let go of idle segments and to delete them, by its own settings. */
async function longestReleaseMs({ questdb }: Tools): Promise<number> {
  const settings = ["cairo.wal.inactive.writer.ttl", "cairo.idle.check.interval", "cairo.wal.purge.interval"];
  const rows = await questdb.read(
    `SELECT property_path, value FROM (SHOW PARAMETERS) WHERE property_path IN (${settings.map((name) => `'${name}'`).join(", ")})`,
    [],
  );
  // A look can just have been missed, and a purge may find the segment still held.
  return 2 * rows.reduce((sum, { value }) => sum + Number(value), 0) + 5_000;
}
