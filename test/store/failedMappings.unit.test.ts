import { beforeEach, expect, test } from "vitest";
import {
  causeOf,
  type FailedMapping,
  noteFailedMapping,
  onFailedMapping,
} from "../../src/store/questdb/failedMappings.ts";

const address = "http://admin:secret@127.0.0.1:9000";
let reported: FailedMapping[] = [];
onFailedMapping((failed) => reported.push(failed));

beforeEach(() => {
  reported = [];
});

test.each([
  ["[12] could not mmap  [size=2556, offset=0]", "could not mmap  [size=2556, offset=0]"],
  ["could not mmap column [fd=12, size=4096]", "could not mmap column [fd=12, size=4096]"],
  ["could not mmap (no cache)  [size=1, fd=3]", "could not mmap (no cache)  [size=1, fd=3]"],
  [
    "[12] could not remap file [previousSize=4096, newSize=8192, offset=0, fd=12]",
    "could not remap file [previousSize=4096, newSize=8192, offset=0, fd=12]",
  ],
  [
    "[12] could not remap file (no cache) [previousSize=1, newSize=2, fd=3]",
    "could not remap file (no cache) [previousSize=1, newSize=2, fd=3]",
  ],
  ['errors on line 1: could not mmap "visitor@example.com"', "could not mmap"],
])("8: a failed mapping is found in %s, and nothing that was sent is reported", (text, reason) => {
  expect(noteFailedMapping("write", text, address)).toBe(true);
  expect(reported).toEqual([{ cause: "write", reason, at: "127.0.0.1:9000" }]);
});

test("8: any other failure is none", () => {
  expect(noteFailedMapping("select", "table does not exist [table=mmap]", address)).toBe(false);
  expect(reported).toEqual([]);
});

test("8: a failed mapping is counted by the first word of its statement", () => {
  expect(causeOf("SELECT 1")).toBe("select");
  expect(causeOf("\n  WITH a AS (SELECT 1) SELECT * FROM a")).toBe("select");
  expect(causeOf("UPDATE events SET path = null")).toBe("update");
  expect(causeOf("ALTER TABLE events DROP PARTITION LIST '2026-01-01'")).toBe("alter");
  expect(causeOf("INSERT INTO events (ts) VALUES (1)")).toBe("other");
});
