import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Config, readConfig } from "../src/config.ts";
import { exitCodes, StartFailure } from "../src/startFailure.ts";
import { StackError } from "./error.ts";
import { acquireLock } from "./lock.ts";
import { postgresPassword } from "./servers/postgres.ts";
import { startStack } from "./stack.ts";

/**
 * Runs a program of src/ with the arguments of this process on the PostgreSQL that is given, on that of a running
 * stack, or on one that is started for it alone. Sets the exit code.
 */
export async function runOnPostgres(program: "recover" | "rotateSecrets"): Promise<void> {
  const script = fileURLToPath(new URL(`../src/${program}.ts`, import.meta.url));
  try {
    process.exitCode = await runScript(script, readConfig());
  } catch (error) {
    const isExpected = error instanceof StartFailure;
    console.error(isExpected ? `\n${error.message}` : error);
    process.exitCode = isExpected ? error.exitCode : exitCodes.failed;
  }
}

/** Resolves to the exit code. */
async function runScript(script: string, config: Config): Promise<number> {
  const { dataDir, given } = config.stack;
  if (given.postgres) return run(script, config.postgres.url);
  const home = join(dataDir, "postgres");
  if (!existsSync(home)) throw new StackError(`${dataDir} has no accounts yet. Set DATA_DIR, or run npm start first.`);
  const answer = await acquireLock(dataDir);
  if (!("lock" in answer))
    return run(script, `postgres://lookout:${await postgresPassword(home)}@127.0.0.1:${runningPort(home)}/lookout`);
  await answer.lock.release();
  const log = (line: string) => console.log(`[lookout] ${line}`);
  const stack = await startStack({ config, log, parts: ["postgres"], preferUsualPorts: false });
  try {
    return run(script, stack.config.postgres.url);
  } finally {
    await stack.stop();
  }
}

function run(script: string, databaseUrl: string): number {
  const env = { ...process.env, DATABASE_URL: databaseUrl };
  return spawnSync(process.execPath, [script, ...process.argv.slice(2)], { stdio: "inherit", env }).status ?? 1;
}

/** The port of the PostgreSQL that runs on a directory: the fourth line of its postmaster.pid. */
function runningPort(home: string): number {
  const file = join(home, "data", "postmaster.pid");
  const port = existsSync(file) ? Number(readFileSync(file, "utf8").split("\n")[3]) : 0;
  if (!(port > 0))
    throw new StackError("Lookout is starting or stopping on this DATA_DIR. Try again in a minute.", exitCodes.failed);
  return port;
}
