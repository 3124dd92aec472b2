import { expect, test } from "vitest";
import { mayRetry, remedyFor, retryWaitMs } from "../../src/store/questdb/suspension.ts";

test("a table is resumed after 1 s, then ever later up to 30 s", () => {
  expect([0, 1, 2, 3, 4, 5, 100].map(retryWaitMs)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

test.each([
  ["DISK FULL", true, "free space on QuestDB's disk; the table is then resumed by itself"],
  ["OUT OF MEMORY", true, "give QuestDB more memory; the table is then resumed by itself"],
  ["", false, "remove the cause that QuestDB names, then run: ALTER TABLE events RESUME WAL"],
])("error tag %j: resumed without end is %j, and the operator reads what to do", (tag, isWithoutEnd, remedy) => {
  expect(mayRetry(tag, 0)).toBe(true);
  expect(mayRetry(tag, 1_000)).toBe(isWithoutEnd);
  expect(remedyFor("events", tag)).toBe(remedy);
});
