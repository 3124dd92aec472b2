import { expect, test } from "vitest";
import { isSettled, placeOfReplica } from "../../../src/scale/backup/takeSnapshot.ts";
import type { WalState } from "../../../src/store/questdb/walStates.ts";

const states = (...tables: (readonly [string, Partial<WalState>])[]): ReadonlyMap<string, WalState> =>
  new Map(
    tables.map(([name, more]) => [
      name,
      { committed: 5, applied: 5, isSuspended: false, errorTag: "", reason: "", ...more },
    ]),
  );

test("a checkpoint counts when all was applied before it and nothing was committed meanwhile", () => {
  const before = states(["events", {}], ["log_positions", {}]);
  expect(isSettled(before, before)).toBe(true);
  expect(isSettled(before, states(["events", {}], ["log_positions", { committed: 6, applied: 6 }]))).toBe(false);
  const unapplied = states(["events", { applied: 4 }]);
  expect(isSettled(unapplied, states(["events", {}]))).toBe(false);
  expect(isSettled(states(["events", {}]), before), "a table that is new").toBe(false);
  const suspended = states(["events", { isSuspended: true }]);
  expect(isSettled(suspended, suspended)).toBe(false);
});

test("each replica has a folder of its own at a place", () => {
  const name = { shard: "s1", replica: "b" };
  expect(placeOfReplica("s3://bucket/lookout/", name)).toBe("s3://bucket/lookout/s1-b");
  expect(placeOfReplica("/backups", name)).toBe("/backups/s1-b");
});
