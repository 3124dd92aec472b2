import { expect, test } from "vitest";
import { remedyFor, retryWaitMs } from "../../src/store/questdb/suspension.ts";

test("a table is resumed after 1 s, then after growing delays up to 30 s", () => {
  expect([0, 1, 2, 3, 4, 5, 100].map(retryWaitMs)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

test.each([
  ["DISK FULL", "free space on QuestDB's disk"],
  ["OUT OF MEMORY", "give QuestDB more memory"],
  ["", "make sure that QuestDB's disk has room, or remove the cause that QuestDB names"],
])("error tag %j: the message gives the operator advice", (tag, remedy) => {
  expect(remedyFor("events", tag, "bulk update failed")).toBe(
    `${remedy}; the table is then resumed within 30 s, or at once by: ALTER TABLE events RESUME WAL`,
  );
});

test("an index that cannot be removed has a page of its own", () => {
  const reason = "cannot remove index for [txn=104, table=events, column=website_id]: [17] ";
  expect(remedyFor("events", "", reason)).toContain("#an-index-that-cannot-be-removed");
});
