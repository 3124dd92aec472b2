/**
 * What `npm run backup`, `restore` and `verify` do on running stores. The commands of stack/ start the stores if necessary, and
 * run this file:
 *
 *     node src/main/commands/backup.ts backup --to <place> [--take-over]
 *     node src/main/commands/backup.ts unpack --from <place> [--backup <id>] [--receipts <file> | --without-receipts]
 *     node src/main/commands/backup.ts load        into the stores that run on the unpacked files
 *     node src/main/commands/backup.ts compare     only compares them with the backup
 *     node src/main/commands/backup.ts receipts --to <file>
 */

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { BackupError } from "../../backup/backupError.ts";
import { megabytes, secondsSince, show, shownEvery } from "../../backup/commandOutput.ts";
import { countDifferences, countQuestdbRows } from "../../backup/countRows.ts";
import { type Manifest, parseManifest } from "../../backup/manifest.ts";
import {
  collectReceipts,
  mergeReceipts,
  noReceipts,
  parseReceipts,
  type Receipts,
  receiptsAfter,
} from "../../backup/receipts/receipts.ts";
import { receiptsOf } from "../../backup/receipts/storedReceipts.ts";
import { loadPostgres, refuseNewer } from "../../backup/restore/loadPostgres.ts";
import { reapplyReceipts } from "../../backup/restore/reapplyReceipts.ts";
import { settleRestored } from "../../backup/restore/settleRestored.ts";
import { tablesDirectory, unpackBackup } from "../../backup/restore/unpackBackup.ts";
import { runBackup } from "../../backup/take/runBackup.ts";
import { openSource } from "../../backup/target/openTarget.ts";
import { findBackup } from "../../backup/target/readManifest.ts";
import { type Config, readConfig, withBackupPlace } from "../../config.ts";
import { exitCodes, StartFailure } from "../../errors/startFailure.ts";
import { createLog } from "../../observability/log.ts";
import { inTransaction } from "../../store/postgres/inTransaction.ts";
import { prepareQuestdbTables } from "../../store/questdb/questdbTables.ts";
import { restoringDirectory } from "../../store/write/dataDir.ts";
import { RowWriter } from "../../store/write/rowWriter.ts";
import { onlyRecords, onlyStores } from "../../store/write/storesOfWebsites.ts";
import { newGuard, openStores, type Stores, withStores } from "../compose.ts";

const options = {
  to: { type: "string" },
  from: { type: "string" },
  backup: { type: "string" },
  receipts: { type: "string" },
  "take-over": { type: "boolean" },
  "without-receipts": { type: "boolean" },
} as const;

/** The manifest of the backup that is being restored. */
const manifestFile = join(restoringDirectory, "manifest.json");
/** What was erased after that backup. */
const receiptsFile = join(restoringDirectory, "receipts.json");

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stop.abort());

try {
  const { positionals, values } = parseArgs({ options, allowPositionals: true });
  const config = readConfig(withBackupPlace(process.env, values.to ?? values.from));
  const [command] = positionals;
  if (command === "unpack") await unpack(config, values.from ?? "", values);
  else
    await withStores(openStores(config, createLog({ level: "silent" }, "backup")), async (stores) => {
      if (command === "backup") await backUp(stores, values.to ?? "", values["take-over"] === true);
      else if (command === "load") await load(stores);
      else if (command === "receipts") await saveReceipts(stores, values.to ?? "");
      else await compare(stores);
    });
} catch (error) {
  const isExpected = error instanceof StartFailure;
  if (stop.signal.aborted) console.error("\nStopped before it was done. Run it again; nothing has to be cleaned up.");
  else console.error(isExpected ? `\n${error.message}` : error);
  process.exitCode = isExpected ? error.exitCode : exitCodes.failed;
}

async function backUp(stores: Stores, to: string, takesOver: boolean): Promise<void> {
  const startedMs = performance.now();
  const run = { ...stores, questdb: stores.questdb.only("A backup").reader };
  const { manifest, problems } = await runBackup(run, to, shownEvery("backup"), stop.signal, takesOver);
  show(
    `backup ${manifest.id} at ${to}: ${megabytes(manifest.bytes)} MB, of which ${megabytes(manifest.bytesWritten)} MB ` +
      `(compressed) were new, in ${secondsSince(startedMs)} s`,
  );
  for (const problem of problems) show(`this backup is made. No object of earlier ones was removed: ${problem}`);
}

async function unpack(
  config: Config,
  from: string,
  {
    backup,
    receipts,
    "without-receipts": isWithout = false,
  }: { readonly backup?: string; readonly receipts?: string; readonly "without-receipts"?: boolean },
): Promise<void> {
  const { dataDir } = config.stack;
  const target = await openSource(from, config);
  const manifest = await findBackup(target, backup);
  if (manifest.replica !== undefined)
    throw new BackupError(
      `${target.place} has snapshots of a replica, from which npm run consumer -- --rebuild-from fills another one. Name a place of backups.`,
    );
  await refuseNewer(manifest.migrations);
  const beside = await receiptsOf(target);
  if (beside === undefined && receipts === undefined && !isWithout)
    throw new BackupError(
      `${target.place} has no receipts.json, so what was erased after the backup would be there again. Name a copy of that file or the old ` +
        "DATA_DIR with --receipts, or restore what was erased too with --without-receipts.",
    );
  const later = receiptsAfter(
    mergeReceipts([beside ?? noReceipts, await receiptsIn(receipts)]),
    Date.parse(manifest.takenAt),
  );
  show(`backup ${manifest.id}, taken at ${manifest.takenAt}: ${megabytes(manifest.bytes)} MB`);
  await unpackBackup(target, manifest, dataDir, shownEvery("files"));
  await writeFile(join(dataDir, manifestFile), JSON.stringify(manifest), { mode: 0o600 });
  await writeFile(join(dataDir, receiptsFile), JSON.stringify({ ...noReceipts, ...later }), { mode: 0o600 });
  // Makes QuestDB restore the checkpoint among its files at its next start.
  await writeFile(join(dataDir, "questdb", "_restore"), "");
}

async function receiptsIn(file: string | undefined): Promise<Receipts> {
  if (file === undefined) return noReceipts;
  const text = await readFile(file, "utf8").catch((error: Error) => {
    throw new BackupError(`The receipts cannot be read (${error.message}). Correct --receipts.`);
  });
  return parseReceipts(text, file);
}

async function saveReceipts({ postgres }: Stores, file: string): Promise<void> {
  const receipts = await collectReceipts(postgres, Date.now());
  await writeFile(file, JSON.stringify(receipts), { mode: 0o600 });
}

async function load(stores: Stores): Promise<void> {
  const { config, metrics, log } = stores;
  const guard = newGuard(stores);
  const rows = new RowWriter(config.questdb, metrics, log, { guard });
  const node = stores.questdb.only("A restore");
  try {
    const manifest = await loadTables(stores);
    await inTransaction(stores.postgres, (client) => settleRestored(client, manifest));
    show("PostgreSQL is loaded");
    const file = join(config.stack.dataDir, receiptsFile);
    const receipts = parseReceipts(await readFile(file, "utf8"), file);
    const tools = { ...stores, stores: onlyStores(node, rows), records: onlyRecords(node, rows) };
    const done = await reapplyReceipts(tools, receipts, manifest.takenAt, shownEvery("erasing again"), stop.signal);
    show(
      `erased again what was erased after the backup: ${done.deletions} deletions (${done.rows} rows), ` +
        `${done.retentionRuns} runs of retention, ${done.websites} deleted websites`,
    );
  } finally {
    await rows.close();
    await guard.close();
  }
}

async function compare(stores: Stores): Promise<void> {
  const manifest = await loadTables(stores);
  const rows = await countQuestdbRows(stores.questdb.only("A restore").reader, stop.signal);
  const differences = countDifferences(manifest.questdb, rows);
  const total = Object.values(rows).reduce((sum, days) => sum + sumOf(days), 0);
  if (differences.length > 0)
    throw new BackupError(`The backup ${manifest.id} is not whole:\n${differences.slice(0, 50).join("\n")}`);
  show(
    `backup ${manifest.id} is whole: every checksum, ${total.toLocaleString("en")} rows of QuestDB by table and day, and ` +
      `${sumOf(manifest.postgres).toLocaleString("en")} rows of PostgreSQL by table are those of its manifest`,
  );
}

async function loadTables({ config: { stack, questdb }, postgres, keyring }: Stores): Promise<Manifest> {
  const file = join(stack.dataDir, manifestFile);
  const manifest = parseManifest(await readFile(file, "utf8"), file);
  const log = createLog({ level: "warn" }, "restore");
  await loadPostgres(postgres, manifest, join(stack.dataDir, tablesDirectory), log, shownEvery("loading"));
  // A backup of an earlier version lacks tables that came later. Erasures are repeated from these too.
  await prepareQuestdbTables(questdb, log, stop.signal);
  await keyring.check(postgres).catch((error: unknown) => {
    if (!(error instanceof StartFailure)) throw error;
    show(
      `npm start will refuse this data, since the key of its secrets is not the one that is set here. ${error.message}`,
    );
  });
  return manifest;
}

function sumOf(rows: Readonly<Record<string, number>>): number {
  return Object.values(rows).reduce((sum, count) => sum + count, 0);
}
