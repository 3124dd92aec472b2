import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { LogOutput } from "../../src/observability/logOutput.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "lookout-log-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test("lines lost on a full disk are counted, and the log reports them when it continues", (context) => {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=8k", "tmpfs", directory], { stdio: "pipe" });
  } catch {
    context.skip("this user may not mount a file system");
  }
  const file = openSync(join(directory, "log"), "a");
  try {
    const filler = join(directory, "filler");
    const output = new LogOutput(file);
    output.write("first\n");
    writeFileSync(filler, Buffer.alloc(4_096));
    output.write(`${"x".repeat(5_000)}\n`);
    output.write("lost\n");
    expect(output.lostLines).toBe(2);
    rmSync(filler);
    output.write("second\n");
    const lines = readFileSync(join(directory, "log"), "utf8").trimEnd().split("\n");
    expect(lines.map((line) => line.replace(/x+/, "x"))).toEqual([
      "first",
      "x",
      expect.stringContaining('"lostLines":2,"msg":"log lines before this one could not be written"'),
      "second",
    ]);
  } finally {
    closeSync(file);
    execFileSync("umount", [directory]);
  }
});
