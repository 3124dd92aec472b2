/**
 * `npm run restore -- --from <place> [--backup <id>] [--receipts <file or old DATA_DIR> | --without-receipts]`: fills an empty DATA_DIR from a
 * backup, and erases again what was erased after it. `npm start` then runs on it.
 */
import { readConfig, withBackupPlace } from "../src/config.ts";
import { readArguments } from "./backupCommand.ts";
import { commandOf } from "./commandOf.ts";
import { restoreInto } from "./restoreInto.ts";

const usage =
  "npm run restore -- --from <place> [--backup <id>] [--receipts <file or old DATA_DIR> | --without-receipts]";

await commandOf(async () => {
  const given = readArguments(usage, ["from", "backup", "receipts"], ["without-receipts"]);
  const config = readConfig(withBackupPlace(process.env, given.from));
  const code = await restoreInto(config, given, "load");
  if (code === 0) console.log(`[lookout] ${config.stack.dataDir} is restored: npm start runs on it`);
  return code;
});
