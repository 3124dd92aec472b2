import { readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Env } from "../src/config.ts";
import { exitCodes } from "../src/errors/startFailure.ts";
import { StackError } from "./error.ts";

/** In DATA_DIR while a stack runs on it. Other commands find its stores with these settings. */
const file = "running.json";

export async function noteAddresses(dataDir: string, addresses: Env): Promise<void> {
  await writeFile(join(dataDir, file), JSON.stringify(addresses), { mode: 0o600 });
}

export async function forgetAddresses(dataDir: string): Promise<void> {
  await rm(join(dataDir, file), { force: true });
}

/** The settings of the stack that runs on DATA_DIR. Throws a StackError while it is starting or stopping. */
export function readAddresses(dataDir: string): Env {
  try {
    return JSON.parse(readFileSync(join(dataDir, file), "utf8"));
  } catch {
    throw new StackError("Lookout is starting or stopping on this DATA_DIR. Try again in a minute.", exitCodes.failed);
  }
}
