/**
 * `npm run backup -- --to <place>`: backs up a running service, or one that is stopped. src/backupCommand.ts does
 * it; here its stores are found or started.
 */
import { readConfig } from "../src/config.ts";
import { argumentsOf, readArguments, runBackupCommand } from "./backupCommand.ts";
import { commandOf } from "./commandOf.ts";
import { withStores } from "./withStores.ts";

await commandOf(async () => {
  const args = ["backup", ...argumentsOf(readArguments("npm run backup -- --to <place>", ["to"]))];
  return await withStores(readConfig(), ["questdb", "postgres"], (addresses) => runBackupCommand(args, addresses));
});
