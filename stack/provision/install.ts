import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../../src/config.ts";
import { acquireLock, type Lock } from "../lock.ts";
import { type Log, step } from "../progress.ts";

/** What every provisioning step needs. */
export type Provisioning = {
  readonly config: Config;
  readonly log: Log;
  /** Aborted when the start is cancelled. */
  readonly signal: AbortSignal;
};

/** Installs a server after its prerequisites were checked. Resolves to the path of its program. */
export type Install = () => Promise<string>;

/** The directory of a finished installation in the cache. */
export function installedAt(config: Config, name: string): string {
  return join(config.stack.cacheDir, name);
}

/**
 * Fills `CACHE_DIR/<name>` once. `fill` works in a temporary directory that is renamed only when `fill` is done, so an existing
 * directory is complete. If several starts do this at once, one fills it and the others wait.
 */
export async function installOnce(
  { config, log, signal }: Provisioning,
  name: string,
  label: string,
  fill: (directory: string, note: (text: string) => void) => Promise<void>,
): Promise<string> {
  const target = installedAt(config, name);
  if (existsSync(target)) return target;
  const prefix = `.installing-${name}`;
  const lockPath = join(config.stack.cacheDir, prefix);
  await mkdir(lockPath, { recursive: true });
  const lock = await waitForLock(lockPath, label, log, signal);
  try {
    if (existsSync(target)) return target;
    for (const left of await readdir(lockPath)) await rm(join(lockPath, left), { recursive: true, force: true });
    const directory = await mkdtemp(join(lockPath, "part-"));
    await step(log, label, (note) => fill(directory, note));
    await rename(directory, target);
    return target;
  } finally {
    await lock.release();
  }
}

async function waitForLock(path: string, label: string, log: Log, signal: AbortSignal): Promise<Lock> {
  for (let round = 0; ; round++) {
    const answer = await acquireLock(path);
    if ("lock" in answer) return answer.lock;
    if (round % 10 === 0) log(`${label}: process ${answer.heldBy ?? "of another start"} is at it, waiting ...`);
    await sleep(500, undefined, { signal });
  }
}
