import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { spawnBound } from "./boundProcess.ts";
import type { Log } from "./progress.ts";
import type { Stack } from "./stack.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Fills a website of the running stack with demo data. The product goes on without it if that fails. */
export async function runDemo(stack: Stack, log: Log): Promise<void> {
  // It only calls our own API, which a proxy may not reach.
  const env = { ...stack.env, NODE_USE_ENV_PROXY: undefined };
  const child = spawnBound(process.execPath, ["src/demo/demoCommand.ts"], { env, cwd: root, stdio: "inherit" });
  const [code] = await once(child, "exit");
  if (code !== 0) log("the demo data is not complete; the product runs without it");
}
