import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Env } from "../../../src/config.ts";
import { forkProcess } from "../stack/forkedProcess.ts";

/** Runs `npm run consumer` until it ends, by default with a DATA_DIR of its own. */
export async function runConsumer(
  env: Env,
  args: readonly string[],
  dataDir?: string,
): Promise<{ code: number; output: string }> {
  const own = await mkdtemp(join(tmpdir(), "lookout-store-"));
  const { child, output } = forkProcess("src/main/consumer.ts", {
    args,
    env: { ...env, DATA_DIR: dataDir ?? own, CONSUMER_OPERATIONS_PORT: "0" },
  });
  const [code] = await once(child, "close");
  await rm(own, { recursive: true, force: true });
  return { code: Number(code), output: output() };
}
