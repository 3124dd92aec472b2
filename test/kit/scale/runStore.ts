import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Env } from "../../../src/config.ts";

/** Runs `npm run store` until it ends, by default with a DATA_DIR of its own. */
export async function runStore(
  env: Env,
  args: readonly string[],
  dataDir?: string,
): Promise<{ code: number; output: string }> {
  const own = await mkdtemp(join(tmpdir(), "lookout-store-"));
  const child = fork("src/store.ts", [...args], {
    env: { ...process.env, ...env, DATA_DIR: dataDir ?? own, STORE_OPERATIONS_PORT: "0" },
    execArgv: [],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const [code] = await once(child, "close");
  await rm(own, { recursive: true, force: true });
  return { code: Number(code), output };
}
