import { existsSync, statSync } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Config, readConfig } from "../src/config.ts";
import { dataDirMode, restoringDirectory } from "../src/store/write/dataDir.ts";
import { type Arguments, argumentsOf, runBackupCommand } from "./backupCommand.ts";
import { prepareDirectory } from "./disk.ts";
import { StackError } from "./error.ts";
import { acquireLock } from "./lock.ts";
import { startStack } from "./stack.ts";
import { withStores } from "./withStores.ts";

/**
 * Restores the backup that `given` names into an empty DATA_DIR: first its files, then with QuestDB and PostgreSQL running on them. Until all of it is
 * done, a directory there says so, and nothing starts on it. Resolves to the exit code.
 */
export async function restoreInto(
  config: Config,
  given: Arguments & { readonly receipts?: string },
  what: "load" | "compare",
): Promise<number> {
  const { dataDir, given: stores } = config.stack;
  if (stores.postgres || stores.questdbHttp || stores.questdbPg)
    throw new StackError(
      "A backup is restored into a DATA_DIR with stores of its own. Unset DATABASE_URL, QUESTDB_HTTP and QUESTDB_PG; " +
        "docs/operate/backup.md says how to go on with stores of your own.",
    );
  await prepareDirectory("DATA_DIR", dataDir, config.stack, dataDirMode);
  await claimDirectory(dataDir);
  const settings = { DATA_DIR: dataDir };
  const receipts = given.receipts && (await fileOfReceipts(config, resolve(given.receipts)));
  const unpacked = await runBackupCommand(["unpack", ...argumentsOf({ ...given, receipts })], settings);
  if (unpacked !== 0) {
    await leaveEmpty(dataDir);
    return unpacked;
  }
  const log = (line: string) => console.log(`[lookout] ${line}`);
  const parts = ["questdb", "postgres"] as const;
  const stack = await startStack({ config, log, parts, preferUsualPorts: false, isRestore: true });
  try {
    const code = await runBackupCommand([what], { ...stack.env, ...settings });
    if (code !== 0) return code;
  } finally {
    await stack.stop();
  }
  await rm(join(dataDir, restoringDirectory), { recursive: true, force: true });
  return 0;
}

/** The given file of receipts, or one that is written from the PostgreSQL of an old DATA_DIR. */
async function fileOfReceipts(config: Config, given: string): Promise<string> {
  if (!existsSync(given)) throw new StackError(`There is no ${given}. Correct --receipts.`);
  if (!statSync(given).isDirectory()) return given;
  const file = join(config.stack.dataDir, restoringDirectory, "receipts-of-old-data.json");
  const old = readConfig({ ...config.stack.environment, DATA_DIR: given });
  // The bucket of --from, without which the settings S3_* would be refused.
  const { BACKUP_TO: place } = config.stack.environment;
  const code = await withStores(old, ["postgres"], (addresses) =>
    runBackupCommand(["receipts", "--to", file], { ...addresses, BACKUP_TO: place }),
  );
  if (code !== 0) throw new StackError(`The receipts of ${given} cannot be read. Without them, leave --receipts out.`);
  return file;
}

/** A restore that was refused before it wrote anything leaves nothing that would prevent npm start from using the directory. */
async function leaveEmpty(dataDir: string): Promise<void> {
  const names = await readdir(dataDir);
  if (names.every((name) => name === restoringDirectory))
    await rm(join(dataDir, restoringDirectory), { recursive: true, force: true });
}

/** Makes sure that the directory is ours: empty, or left by a restore that was interrupted. */
async function claimDirectory(dataDir: string): Promise<void> {
  const answer = await acquireLock(dataDir);
  if (!("lock" in answer))
    throw new StackError(
      `Lookout runs on ${dataDir} (process ${answer.heldBy ?? "unknown"}). Stop it, or set DATA_DIR to an empty directory.`,
    );
  try {
    const names = await readdir(dataDir);
    if (names.length > 0 && !names.includes(restoringDirectory))
      throw new StackError(
        `${dataDir} is not empty, and a restore overwrites nothing. Move it away, or set DATA_DIR to an empty directory.`,
      );
    await mkdir(join(dataDir, restoringDirectory), { recursive: true, mode: 0o700 });
    for (const name of names.filter((one) => one !== restoringDirectory))
      await rm(join(dataDir, name), { recursive: true, force: true });
  } finally {
    await answer.lock.release();
  }
}
