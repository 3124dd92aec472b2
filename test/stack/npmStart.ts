import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { expect, inject, vi } from "vitest";
import { spawnBound } from "../../stack/boundProcess.ts";
import { PortChooser } from "../../stack/ports.ts";

const root = join(import.meta.dirname, "..", "..");

/** Runs `npm start` on a DATA_DIR until it is ready; returns the output so far. */
export async function npmStart(directory: string): Promise<{ npm: ChildProcess; output: () => string }> {
  const port = await new PortChooser(false).choose();
  const env = { ...process.env, DATA_DIR: directory, CACHE_DIR: inject("lookout").cacheDir, PORT: String(port) };
  const npm = spawnBound("npm", ["start"], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  for (const stream of [npm.stdout, npm.stderr])
    stream?.on("data", (chunk) => {
      text += chunk;
    });
  await vi.waitFor(() => expect(text).toContain("Ctrl-C stops it."), { timeout: 200_000, interval: 100 });
  return { npm, output: () => text };
}

/** Ends it as Ctrl-C in a terminal does, which sends the signal to the whole foreground group. */
export async function ctrlC(npm: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => npm.once("exit", resolve));
  if (npm.pid) process.kill(-npm.pid, "SIGINT");
  await ended;
}
