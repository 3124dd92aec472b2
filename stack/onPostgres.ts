import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { readConfig } from "../src/config.ts";
import { commandOf } from "./commandOf.ts";
import { withStores } from "./withStores.ts";

/**
 * Runs a program of src/main/commands with the arguments of this process. Uses the PostgreSQL given by address, that of a running
 * stack, or one that is started only for it. Sets the exit code.
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
