/**
 * `npm run verify -- --from <place> [--backup <id>]`: restores a backup into a temporary directory, with servers of
 * its own, and compares the rows of every table and day with its manifest.
 */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig, withBackupPlace } from "../src/config.ts";
import { readArguments } from "./backupCommand.ts";
import { commandOf } from "./commandOf.ts";
import { restoreInto } from "./restoreInto.ts";

await commandOf(async () => {
  const place = readArguments("npm run verify -- --from <place> [--backup <id>]", ["from", "backup"]);
  const dataDir = await mkdtemp(join(tmpdir(), "lookout-verify-"));
  try {
    // PostgreSQL may run as another user, who has to enter the directory.
    await chmod(dataDir, 0o711);
    const own = { DATA_DIR: dataDir, DATABASE_URL: "", QUESTDB_HTTP: "", QUESTDB_PG: "" };
    // Nothing is answered from it, so what was erased since is not erased again.
    const unpacked = { ...place, "without-receipts": true };
    const config = readConfig({ ...withBackupPlace(process.env, place.from), ...own });
    return await restoreInto(config, unpacked, "compare");
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
