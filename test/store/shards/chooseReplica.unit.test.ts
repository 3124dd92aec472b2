import { expect, test } from "vitest";
import { chooseReplica, hasReached, type ReplicaState } from "../../../src/store/shards/chooseReplica.ts";

const replica = (name: string, more: Partial<ReplicaState> = {}): ReplicaState => ({
  name,
  isUp: true,
  state: "serving",
  erasedUntilMs: null,
  lagMs: 0,
  ...more,
});

const choose = (current: string | undefined, ...replicas: ReplicaState[]) =>
  chooseReplica(replicas, current, 2_000)?.name;

test("the replica that was read stays while it answers and lags less than the limit", () => {
  expect(choose("b", replica("a"), replica("b", { lagMs: 1_999 }))).toBe("b");
  expect(choose("b", replica("a"), replica("b", { lagMs: 2_001 }))).toBe("a");
  expect(choose("b", replica("a"), replica("b", { isUp: false }))).toBe("a");
});

test("past the limit the one that lags least is read, the one that was read among equals", () => {
  expect(
    choose("a", replica("a", { lagMs: 9_000 }), replica("b", { lagMs: 5_000 }), replica("c", { lagMs: 4_000 })),
  ).toBe("c");
  expect(choose("b", replica("a", { lagMs: 5_000 }), replica("b", { lagMs: 5_000 }))).toBe("b");
});

test("processes that start choose the same one: lags below the limit are equal", () => {
  expect(choose(undefined, replica("a", { lagMs: 900 }), replica("b", { lagMs: 100 }))).toBe("a");
  expect(choose(undefined, replica("a", { lagMs: 2_500 }), replica("b", { lagMs: 100 }))).toBe("b");
  // Without a consumer nothing is known of a lag.
  expect(choose(undefined, replica("a", { lagMs: null }), replica("b"))).toBe("a");
});

test("a replica that lacks rows or erasures is never read, not even when no other one answers", () => {
  expect(choose("a", replica("a", { erasedUntilMs: 1 }), replica("b", { isUp: false }))).toBe("b");
  expect(choose("a", replica("a", { state: "rebuilding" }), replica("b", { isUp: false }))).toBe("b");
  expect(choose("a", replica("a", { erasedUntilMs: 1 }), replica("b", { state: "rebuilding" }))).toBeUndefined();
});

test("when none answers, those that may be read are tried", () => {
  expect(choose("b", replica("a", { isUp: false }), replica("b", { isUp: false }))).toBe("b");
});

test("a replica may take over once it has stored what the other one had of each partition", () => {
  expect(hasReached({ 0: "10", 1: "7" }, { 0: "10", 1: "7" })).toBe(true);
  expect(hasReached({ 0: "11", 1: "6" }, { 0: "10", 1: "7" })).toBe(false);
  expect(hasReached({ 0: "9007199254740993" }, { 0: "9007199254740994" })).toBe(false);
  expect(hasReached({ 0: "10" }, { 0: "9" })).toBe(true);
  expect(hasReached({ 0: "10" }, { 0: "9", 1: "1" })).toBe(false);
  expect(hasReached({}, {})).toBe(true);
});
