/**
 * `npm run backup -- --to <place> [--take-over]`: backs up a service, running or stopped. This file finds or starts its stores;
 * src/main/commands/backup.ts makes the backup.
 */
import { readConfig, withBackupPlace } from "../src/config.ts";
import { argumentsOf, readArguments, runBackupCommand } from "./backupCommand.ts";
import { commandOf } from "./commandOf.ts";
import { withStores } from "./withStores.ts";

await commandOf(async () => {
  const given = readArguments("npm run backup -- --to <place> [--take-over]", ["to"], ["take-over"]);
  const args = ["backup", ...argumentsOf(given)];
  const config = readConfig(withBackupPlace(process.env, given.to));
  return await withStores(config, ["questdb", "postgres"], (addresses) => runBackupCommand(args, addresses));
});
