import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

test.each([
  ["its process", (pid: number) => process.kill(pid, "SIGTERM")],
  ["its process group", (pid: number) => process.kill(-pid, "SIGTERM")],
])(".ci/run ends with its totals when %s is stopped by SIGTERM", async (_, stop) => {
  const folder = await mkdtemp(join(tmpdir(), "lookout-ci-run-"));
  await mkdir(join(folder, "bin"));
  await cp(fileURLToPath(new URL("../.ci", import.meta.url)), join(folder, ".ci"), { recursive: true });
  const tests = "#!/bin/sh\necho the tests have begun\nexec sleep 600\n";
  await writeFile(join(folder, "bin/npm"), tests, { mode: 0o755 });
  const env = { ...process.env, PATH: `${join(folder, "bin")}:${process.env["PATH"]}`, TMPDIR: folder };
  const run = spawn(join(folder, ".ci/run"), { env, detached: true, stdio: ["ignore", "pipe", "inherit"] });
  const output = text(run.stdout);
  run.stdout.on("data", (part: Buffer) => {
    if (part.includes("the tests have begun")) stop(run.pid ?? 0);
  });
  const [exitCode] = await once(run, "exit");
  expect((await output).trimEnd().split("\n").slice(-2)).toEqual(["stopped by a signal", "0 passed, 1 failed"]);
  expect(exitCode).toBe(1);
  await rm(folder, { recursive: true });
});
