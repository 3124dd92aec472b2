import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { readConfig } from "../src/config.ts";
import { commandOf } from "./commandOf.ts";
import { withStores } from "./withStores.ts";

/**
 * Runs a program of src/main/commands with the arguments of this process on the PostgreSQL that is given, on that of a running
 * stack, or on one that is started for it alone. Sets the exit code.
 */
export async function runOnPostgres(program: "moveOrganization" | "recover" | "rotateSecrets"): Promise<void> {
  const script = fileURLToPath(new URL(`../src/main/commands/${program}.ts`, import.meta.url));
  await commandOf(() =>
    withStores(readConfig(), ["postgres"], (addresses) => {
      const env = { ...process.env, ...addresses };
      return spawnSync(process.execPath, [script, ...process.argv.slice(2)], { stdio: "inherit", env }).status ?? 1;
    }),
  );
}
