import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { QuestdbReader } from "../../../store/questdb/questdbReader.ts";
import type { TableName } from "../../../store/questdb/tables.ts";
import type { ErasureTools } from "../steps/erasureTools.ts";
import { beginNewSegments, columnsVersion } from "./beginNewSegments.ts";
import { crowdedPartitions, isCrowded, staleDirectories } from "./questdbFiles.ts";

type Tools = Pick<ErasureTools, "questdb" | "postgres" | "config">;

const pauseMs = 500;

/** Idle writers are closed in less, with the settings that the local stack gives QuestDB. */
const lookMs = 10_000;

/**
 * Resolves when nothing of these tables is left that was there at the call and nobody reads: segments of their write-ahead logs, partitions
 * and column files of which there are newer ones. Where QuestDB's files are not to be seen, it is given the time that its own settings may need.
 */
export async function whenDirectoriesAreGone(
  tools: Tools,
  tables: readonly TableName[],
  onWait: (reason: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const { questdb, config } = tools;
  const { root } = config.questdb;
  if (tables.length === 0) return;
  for (const table of tables) await deleteUnread(questdb, table);
  if (root === undefined) {
    for (const table of tables) await beginNewSegments(tools, table, signal);
    onWait("QuestDB deletes segments of its write-ahead log");
    await pause(await longestReleaseMs(questdb), undefined, { signal });
    return;
  }
  const looks = new Map<TableName, Look>();
  for (const table of tables) {
    const path = join(root, await directoryOf(questdb, table));
    const stale = () => staleDirectories(path, () => partitionsOf(questdb, table));
    const files = { stale, directories: await stale(), partitions: await crowdedPartitions(path) };
    looks.set(table, { ...(await lookAt(questdb, table)), ...files });
  }
  for (;;) {
    const there: [TableName, Look][] = [];
    for (const [table, look] of looks) if (await isThere(look)) there.push([table, look]);
    if (there.length === 0) return;
    onWait(`directories of ${there.map(([table]) => table).join(", ")}`);
    for (const [table, before] of there)
      if (Date.now() > before.atMs + lookMs) {
        const now = await lookAt(questdb, table);
        // An idle writer would only be kept open, and of erasures at once one is enough.
        const isBusy = now.taken !== before.taken && now.version === before.version;
        if (isBusy) await beginNewSegments(tools, table, signal);
        await deleteUnread(questdb, table);
        looks.set(table, { ...before, ...(isBusy ? await lookAt(questdb, table) : now) });
      }
    await pause(pauseMs, undefined, { signal });
  }
}

/** What a table had taken at a time, and the version of its columns. */
type Look = {
  readonly atMs: number;
  readonly taken: number;
  readonly version: number;
  /** Those of `stale` at that time. */
  readonly directories: readonly string[];
  readonly partitions: readonly string[];
  /** Directories that may hold what was erased, now. */
  readonly stale: () => Promise<string[]>;
};

async function isThere({ stale, directories, partitions }: Look): Promise<boolean> {
  // Asked anew: a partition that was just being written for the first time is listed by QuestDB only afterwards.
  const now = new Set(await stale());
  if (directories.some((path) => now.has(path))) return true;
  return (await Promise.all(partitions.map(isCrowded))).includes(true);
}

/** Names of a table's partitions, by which it can be read. */
async function partitionsOf(questdb: QuestdbReader, table: TableName): Promise<ReadonlySet<string>> {
  const rows = await questdb.read(`SELECT name FROM table_partitions('${table}')`, []);
  return new Set(rows.map(({ name }) => String(name)));
}

/** Lets QuestDB look for files that nobody reads: of those that wait to be deleted it knows no more once it was killed. */
async function deleteUnread(questdb: QuestdbReader, table: TableName): Promise<void> {
  await questdb.change(`VACUUM TABLE ${table}`);
}

async function lookAt(questdb: QuestdbReader, table: TableName): Promise<Pick<Look, "atMs" | "taken" | "version">> {
  const [row] = await questdb.read("SELECT sequencerTxn taken FROM wal_tables() WHERE name = $1", [table]);
  return { atMs: Date.now(), taken: Number(row?.["taken"]), version: await columnsVersion(questdb, table) };
}

async function directoryOf(questdb: QuestdbReader, table: TableName): Promise<string> {
  const [row] = await questdb.read("SELECT directoryName name FROM tables() WHERE table_name = $1", [table]);
  return String(row?.["name"]);
}

/** How long QuestDB takes to let go of idle segments and to delete them, by its own settings. */
async function longestReleaseMs(questdb: QuestdbReader): Promise<number> {
  const settings = ["cairo.wal.inactive.writer.ttl", "cairo.idle.check.interval", "cairo.wal.purge.interval"];
  const rows = await questdb.read(
    `SELECT value FROM (SHOW PARAMETERS) WHERE property_path IN (${settings.map((name) => `'${name}'`).join(", ")})`,
    [],
  );
  // A look can just have been missed, and a purge may find the segment still held.
  return 2 * rows.reduce((sum, { value }) => sum + Number(value), 0) + 5_000;
}
