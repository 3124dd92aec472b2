import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { raiseMapLimit } from "../../stack/mapLimit.ts";

let directory = "";
let file = "";
let lines: string[] = [];
const log = (line: string) => void lines.push(line);

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "lookout-maps-"));
  file = join(directory, "max_map_count");
  lines = [];
});

afterEach(async () => {
  await rm(directory, { recursive: true });
});

test("vm.max_map_count is raised where it may be, and the start says so", async () => {
  await writeFile(file, "65530\n");
  await raiseMapLimit(1_048_576, log, file);
  expect(Number(await readFile(file, "utf8"))).toBe(1_048_576);
  expect(lines).toEqual([expect.stringContaining("from 65530 to 1048576")]);
});

test("where it may not be raised, the start says so with the command", async () => {
  // Read-only for root as well.
  await raiseMapLimit(1_048_576, log, "/proc/sys/kernel/ngroups_max");
  expect(lines).toEqual([expect.stringContaining("sysctl -w vm.max_map_count=1048576")]);
});

test("it is never lowered, 0 leaves it, and nothing is said where there is no such limit", async () => {
  await writeFile(file, "2000000\n");
  await raiseMapLimit(1_048_576, log, file);
  await writeFile(file, "65530\n");
  await raiseMapLimit(0, log, file);
  expect(await readFile(file, "utf8")).toBe("65530\n");
  await raiseMapLimit(1_048_576, log, join(directory, "none"));
  expect(lines).toEqual([]);
});
