import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { poll } from "../../../concurrency/poll.ts";
import type { QuestdbReader } from "../../../store/questdb/questdbReader.ts";
import type { TableName } from "../../../store/questdb/tables.ts";
import type { NodeTools } from "../stores/erasureTools.ts";
import { beginNewSegments, columnsVersion } from "./beginNewSegments.ts";
import { hasOldFiles, isSegment, partitionsWithOldFiles, staleDirectories } from "./questdbFiles.ts";

/** `root` is QuestDB's data root where it can be seen. */
type Tools = NodeTools & { readonly root: string | undefined };

/** A table that took rows within this time has a busy writer, which would keep its segment. */
const busyMs = 3_000;

/** Time between later looks. Idle writers are closed in less time, with the settings that the local stack gives QuestDB. */
const checkMs = 10_000;

/**
 * Resolves when the files of these tables that may hold erased rows are deleted: segments of write-ahead logs, and old
 * versions of partitions and column files. Where QuestDB's files cannot be seen, waits as long as QuestDB's own
 * settings allow it to take.
 */
export async function whenDirectoriesAreGone(
  tools: Tools,
  tables: readonly TableName[],
  onWait: (reason: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const { questdb, root } = tools;
  if (tables.length === 0) return;
  for (const table of tables) await deleteUnread(questdb, table);
  if (root === undefined) {
    for (const table of tables) await beginNewSegments(tools, table, signal);
    onWait("QuestDB deletes segments of its write-ahead log");
    await pause(await longestReleaseMs(questdb), undefined, { signal });
    return;
  }
  const states = new Map<TableName, TableState>();
  for (const table of tables) {
    const path = join(root, await directoryOf(questdb, table));
    const stale = () => staleDirectories(path, () => partitionsOf(questdb, table));
    const files = { stale, directories: await stale(), partitions: await partitionsWithOldFiles(path) };
    states.set(table, { ...(await readState(questdb, table)), ...files, lookAtMs: Date.now() + busyMs });
  }
  await poll(async () => {
    const remaining: [TableName, TableState][] = [];
    for (const [table, state] of states) if (await isRemaining(state)) remaining.push([table, state]);
    if (remaining.length === 0) return true;
    onWait(`directories of ${remaining.map(([table]) => table).join(", ")}`);
    for (const [table, before] of remaining)
      if (Date.now() > before.lookAtMs) {
        const now = await readState(questdb, table);
        // An idle writer would only be kept open by this, and one such change is enough for simultaneous erasures.
        const isBusy = now.taken !== before.taken && now.version === before.version;
        if (isBusy) await beginNewSegments(tools, table, signal);
        await deleteUnread(questdb, table);
        const seen = isBusy ? await readState(questdb, table) : now;
        states.set(table, { ...before, ...seen, lookAtMs: Date.now() + checkMs });
      }
    return false;
  }, signal);
}

/** What a table had committed when it was last looked at, and the version of its columns. */
type TableState = {
  readonly lookAtMs: number;
  readonly taken: number;
  readonly version: number;
  /** The result of `stale` at that time. */
  readonly directories: readonly string[];
  readonly partitions: readonly string[];
  /** Directories that may hold erased rows at the time of the call. */
  readonly stale: () => Promise<string[]>;
};

async function isRemaining({ stale, directories, partitions }: TableState): Promise<boolean> {
  const there = directories.filter(existsSync);
  if (there.some(isSegment)) return true;
  if (there.length > 0) {
    // Read again: QuestDB lists a partition only after it was written for the first time. To list them it looks at all of their files.
    const now = new Set(await stale());
    if (there.some((path) => now.has(path))) return true;
  }
  return (await Promise.all(partitions.map(hasOldFiles))).includes(true);
}

/** Names of a table's partitions, as queries use them. */
async function partitionsOf(questdb: QuestdbReader, table: TableName): Promise<ReadonlySet<string>> {
  const rows = await questdb.read(`SELECT name FROM table_partitions('${table}')`, []);
  return new Set(rows.map(({ name }) => String(name)));
}

/** Makes QuestDB look for unused files: after a kill it has lost the list of files to delete. */
async function deleteUnread(questdb: QuestdbReader, table: TableName): Promise<void> {
  await questdb.change(`VACUUM TABLE ${table}`);
}

async function readState(questdb: QuestdbReader, table: TableName): Promise<Pick<TableState, "taken" | "version">> {
  const [row] = await questdb.read("SELECT sequencerTxn taken FROM wal_tables() WHERE name = $1", [table]);
  return { taken: Number(row?.["taken"]), version: await columnsVersion(questdb, table) };
}

async function directoryOf(questdb: QuestdbReader, table: TableName): Promise<string> {
  const [row] = await questdb.read("SELECT directoryName name FROM tables() WHERE table_name = $1", [table]);
  return String(row?.["name"]);
}

/** How long QuestDB may take to release idle segments and delete them, by its own settings. */
async function longestReleaseMs(questdb: QuestdbReader): Promise<number> {
  const settings = ["cairo.wal.inactive.writer.ttl", "cairo.idle.check.interval", "cairo.wal.purge.interval"];
  const rows = await questdb.read(
    `SELECT value FROM (SHOW PARAMETERS) WHERE property_path IN (${settings.map((name) => `'${name}'`).join(", ")})`,
    [],
  );
  // A check may just have been missed, and a purge may find the segment still in use.
  return 2 * rows.reduce((sum, { value }) => sum + Number(value), 0) + 5_000;
}
