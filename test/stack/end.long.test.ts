import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, inject, test, vi } from "vitest";
import { spawnBound } from "../../stack/boundProcess.ts";
import { PortChooser } from "../../stack/ports.ts";
import { processesOf } from "./processes.ts";

const root = join(import.meta.dirname, "..", "..");
let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "lookout-end-"));
});
afterEach(async () => {
  for (const pid of processesOf(directory)) process.kill(pid, "SIGKILL");
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
});

/** Runs `npm start` until it is ready; returns the output so far. */
async function npmStart(): Promise<{ npm: ChildProcess; output: () => string }> {
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

function processRunning(script: string): number {
  const found = processesOf(directory).find((pid) => {
    const [, second = ""] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    return second.endsWith(script);
  });
  if (found === undefined) throw new Error(`${script} is not running`);
  return found;
}

async function expectNothingLeft(): Promise<void> {
  await vi.waitFor(() => expect(processesOf(directory)).toEqual([]), { timeout: 200_000, interval: 100 });
}

describe("DESIGN 3: embedded servers end with their parent, however it ends", { timeout: 600_000 }, () => {
  test("kill -9 of npm", async () => {
    const { npm } = await npmStart();
    npm.kill("SIGKILL");
    await expectNothingLeft();
  });

  test("kill -9 of the process that runs the servers", async () => {
    await npmStart();
    process.kill(processRunning("stack/start.ts"), "SIGKILL");
    await expectNothingLeft();
  });

  test("Ctrl-C stops in order, and says where the logs are", async () => {
    const { npm, output } = await npmStart();
    const ended = new Promise((resolve) => npm.once("exit", resolve));
    // A terminal sends it to the whole foreground group.
    if (npm.pid) process.kill(-npm.pid, "SIGINT");
    await ended;
    expect(output()).toContain(join(directory, "credentials.json"));
    expect(output()).toContain("[lookout] stopped");
    expect(processesOf(directory)).toEqual([]);
  });
});
