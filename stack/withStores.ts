import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config, Env } from "../src/config.ts";
import { readAddresses } from "./addresses.ts";
import { StackError } from "./error.ts";
import { acquireLock } from "./lock.ts";
import { startStack } from "./stack.ts";

/**
 * Runs `work` with the settings of stores: those given by address, those of the stack that runs on DATA_DIR, or those of stores
 * that are started only for it. Rejects with a StackError when there is no data yet, and while a stack is starting or stopping.
 */
export async function withStores<T>(
  config: Config,
  parts: readonly ("questdb" | "postgres")[],
  work: (addresses: Env) => T | Promise<T>,
): Promise<T> {
  const { dataDir, given } = config.stack;
  const isGiven = { questdb: given.questdbHttp && given.questdbPg, postgres: given.postgres };
  const needed = parts.filter((part) => !isGiven[part]);
  if (needed.length === 0) return await work({});
  if (needed.some((part) => !existsSync(join(dataDir, part))))
    throw new StackError(`${dataDir} has no data yet. Set DATA_DIR, or run npm start first.`);
  const answer = await acquireLock(dataDir);
  if (!("lock" in answer)) return await work(readAddresses(dataDir));
  await answer.lock.release();
  const log = (line: string) => console.log(`[lookout] ${line}`);
  const stack = await startStack({ config, log, parts, preferUsualPorts: false });
  try {
    return await work(stack.env);
  } finally {
    await stack.stop();
  }
}
