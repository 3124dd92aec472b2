import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { setThreadPriority } from "../../stack/threadPriority.ts";

let child: ChildProcess;
beforeEach(async () => {
  child = spawn("sleep", ["60"]);
  await new Promise((resolve) => child.once("spawn", resolve));
});
afterEach(() => {
  child.kill();
});

describe.skipIf(process.platform !== "linux")("DESIGN 3: priorities of threads", () => {
  test("threads of a name get the priority, others keep theirs", async () => {
    const pid = child.pid ?? 0;
    const name = readFileSync(`/proc/${pid}/comm`, "utf8").trim();
    expect(await setThreadPriority(pid, `${name}-other`, 10)).toBe(0);
    expect(getPriority(pid)).toBe(getPriority());
    expect(await setThreadPriority(pid, name.slice(0, 3), 10)).toBe(1);
    expect(getPriority(pid)).toBe(10);
  });

  test("a process that has ended is ignored", async () => {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill();
    await ended;
    expect(await setThreadPriority(child.pid ?? 0, "sleep", 10)).toBe(0);
  });
});
