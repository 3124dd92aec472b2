import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Env } from "../../../src/config.ts";
import type { Stack } from "../../../stack/stack.ts";
import { endProcess, forkPinned, portOf } from "../load/pinnedProcess.ts";

/** One more API process on the stores of a stack, with a log of its own. */
export type BenchApi = {
  readonly child: ChildProcess;
  readonly port: number;
  readonly baseUrl: string;
  readonly dataDir: string;
};

export type BenchApiOptions = {
  /** Run in place of `src/main/api.ts`. */
  readonly script?: string;
  readonly core?: number;
  /** Beside those with which the product runs it. */
  readonly nodeFlags?: readonly string[];
  readonly env?: Env;
};

/** Runs the process while `work` goes on. */
export async function withBenchApi<T>(
  { config, env: stores }: Pick<Stack, "config" | "env">,
  { script = "src/main/api.ts", core, nodeFlags = [], env }: BenchApiOptions,
  work: (api: BenchApi) => Promise<T>,
): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), "lookout-bench-api-"));
  const child = forkPinned(script, {
    core,
    nodeFlags: [...config.stack.apiNodeFlags, ...nodeFlags],
    env: { ...process.env, ...stores, DATA_DIR: dataDir, PORT: "0", BASE_URL: "", LOG_LEVEL: "warn", ...env },
  });
  try {
    const port = await portOf(child);
    return await work({ child, port, baseUrl: `http://127.0.0.1:${port}`, dataDir });
  } finally {
    await endProcess(child);
    await rm(dataDir, { recursive: true, force: true });
  }
}
