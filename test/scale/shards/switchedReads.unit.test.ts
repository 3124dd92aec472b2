import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Placement, readLeaseMs } from "../../../src/scale/shards/placements.ts";
import { SwitchedReads } from "../../../src/scale/shards/switchedReads.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const placement: Placement = {
  organizationId: "o",
  shard: "s2",
  movingTo: "s1",
  movingState: "switched",
  movingSince: "2026-11-25",
  readMs: 0,
};

/** Each wait for the shard lasts a second. */
function slowShard() {
  const waits: string[] = [];
  const reads = new SwitchedReads(async (shard) => {
    waits.push(shard);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  });
  let done = 0;
  const read = (given = placement) =>
    void reads.whenReadable(given).then(() => {
      done += 1;
    });
  return { waits, read, done: () => done };
}

test("the first read waits until no process goes by an older placement, then for the new shard", async () => {
  const { waits, read, done } = slowShard();
  read();
  await vi.advanceTimersByTimeAsync(readLeaseMs - 1);
  expect(waits).toEqual([]);
  await vi.advanceTimersByTimeAsync(2);
  expect([waits, done()]).toEqual([["s2"], 0]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(done()).toBe(1);
});

test("each later read waits for what the log has when it begins, and those that come meanwhile share a wait", async () => {
  const { waits, read, done } = slowShard();
  read();
  await vi.advanceTimersByTimeAsync(readLeaseMs + 1_001);
  read();
  await vi.advanceTimersByTimeAsync(500);
  // This one must not take the wait that began before it.
  read();
  read();
  await vi.advanceTimersByTimeAsync(501);
  expect([waits.length, done()]).toEqual([3, 2]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect([waits.length, done()]).toEqual([3, 4]);
});

test("a process without a read since the change waits for the new shard once, when the old one is no longer written", async () => {
  const { waits, read, done } = slowShard();
  const left: Placement = { ...placement, movingState: "leaving" };
  read(left);
  await vi.advanceTimersByTimeAsync(999);
  expect([waits, done()]).toEqual([["s2"], 0]);
  await vi.advanceTimersByTimeAsync(1);
  expect(done()).toBe(1);
  read(left);
  await vi.advanceTimersByTimeAsync(0);
  expect([waits.length, done()]).toEqual([1, 2]);
});

test("reads before the change, and of organizations that do not move, do not wait", async () => {
  const { waits, read, done } = slowShard();
  for (const movingState of ["copying", "both", null] as const) read({ ...placement, movingState });
  await vi.advanceTimersByTimeAsync(0);
  expect([waits, done()]).toEqual([[], 3]);
});

test("a later move of the organization waits again", async () => {
  const { waits, read } = slowShard();
  read();
  await vi.advanceTimersByTimeAsync(readLeaseMs + 1_001);
  read({ ...placement, movingSince: "2026-11-26" });
  await vi.advanceTimersByTimeAsync(readLeaseMs - 1);
  expect(waits).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(waits).toHaveLength(2);
});

test("a wait that fails fails its reads only", async () => {
  let fails = true;
  const reads = new SwitchedReads(async () => {
    if (fails) throw new Error("too slow");
  });
  const first = expect(reads.whenReadable(placement)).rejects.toThrow("too slow");
  await vi.advanceTimersByTimeAsync(readLeaseMs);
  await first;
  fails = false;
  const second = reads.whenReadable(placement);
  await vi.advanceTimersByTimeAsync(1);
  await second;
});
