import { existsSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "../../config.ts";

/** Directories of accepted rows as versions before the first release named them. */
const oldNames = ["spool", "clicks", "uptime-spool"];

/** Throws ConfigError when DATA_DIR was written by a version whose files this one cannot read. Nothing is changed. */
export function refuseOldDataDir(dataDir: string): void {
  const found = oldNames.find((name) => existsSync(join(dataDir, name)));
  if (found === undefined) return;
  throw new ConfigError(
    `DATA_DIR (${dataDir}) was written by a version before the first release: it has a directory ${found}, whose rows this version ` +
      "cannot read. Nothing was changed. Set DATA_DIR to another directory, or start that version to store its rows",
  );
}
