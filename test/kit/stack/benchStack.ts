import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../../../src/config.ts";
import { type Stack, startStack } from "../../../stack/stack.ts";

/** A stack with a new website that events go to, and a key with every scope. */
export type BenchStack = { readonly stack: Stack; readonly websiteId: string; readonly apiKey: string };

/** Starts QuestDB, PostgreSQL and one API process, or the script `api` in its place, on data of their own that are removed afterwards. */
export async function withStack<T>(api: string | undefined, work: (bench: BenchStack) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), "lookout-bench-"));
  // PostgreSQL may run as another user, who has to pass.
  await chmod(dataDir, 0o711);
  const config = readConfig({ ...process.env, DATA_DIR: dataDir, PORT: "0", BASE_URL: undefined, LOG_LEVEL: "warn" });
  const stack = await startStack({
    config,
    log: (line) => console.error(line),
    parts: ["questdb", "postgres", "api"],
    preferUsualPorts: false,
    ...(api === undefined ? {} : { scripts: { api } }),
  });
  try {
    const { websiteId, apiKey }: { websiteId: string; apiKey: string } = JSON.parse(
      await readFile(join(dataDir, "credentials.json"), "utf8"),
    );
    return await work({ stack, websiteId, apiKey });
  } finally {
    await stack.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
