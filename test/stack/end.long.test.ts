import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ctrlC, npmStart } from "./npmStart.ts";
import { processesOf } from "./processes.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "lookout-end-"));
});
afterEach(async () => {
  for (const pid of processesOf(directory)) process.kill(pid, "SIGKILL");
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
});

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
    const { npm } = await npmStart(directory);
    npm.kill("SIGKILL");
    await expectNothingLeft();
  });

  test("kill -9 of the process that runs the servers", async () => {
    await npmStart(directory);
    process.kill(processRunning("stack/start.ts"), "SIGKILL");
    await expectNothingLeft();
  });

  test("Ctrl-C stops in order, and says where the logs are", async () => {
    const { npm, output } = await npmStart(directory);
    await ctrlC(npm);
    expect(output()).toContain(join(directory, "credentials.json"));
    expect(output()).toContain("[lookout] stopped");
    expect(processesOf(directory)).toEqual([]);
  });
});
