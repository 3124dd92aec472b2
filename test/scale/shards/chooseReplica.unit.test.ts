import { expect, test } from "vitest";
import {
  chooseReplica,
  hasReached,
  isAsNew,
  type Progress,
  type ReplicaState,
} from "../../../src/scale/shards/chooseReplica.ts";

const replica = (name: string, more: Partial<ReplicaState> = {}): ReplicaState => ({
  name,
  answers: "well",
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
  expect(choose("b", replica("a"), replica("b", { answers: "badly" }))).toBe("a");
  expect(choose("b", replica("a"), replica("b", { answers: "not" }))).toBe("a");
});

test("a replica that answers badly is left only for one that answers well", () => {
  const [a, b] = [replica("a", { answers: "badly" }), replica("b", { answers: "badly", lagMs: 1_500 })];
  expect(choose("b", a, b)).toBe("b");
  expect(choose("b", replica("a", { answers: "not" }), b)).toBe("b");
  expect(choose("b", replica("a", { state: "rebuilding" }), b)).toBe("b");
  expect(choose("b", replica("a", { lagMs: 60_000 }), b)).toBe("a");
});

test("past the limit the one that lags least is read, and the one that was read until another one lags half as much", () => {
  expect(
    choose("a", replica("a", { lagMs: 9_000 }), replica("b", { lagMs: 5_000 }), replica("c", { lagMs: 4_000 })),
  ).toBe("c");
  expect(choose("b", replica("a", { lagMs: 5_000 }), replica("b", { lagMs: 5_000 }))).toBe("b");
  expect(choose("b", replica("a", { lagMs: 1_900 }), replica("b", { lagMs: 2_100 }))).toBe("b");
  expect(choose("b", replica("a", { lagMs: 1_900 }), replica("b", { lagMs: 3_900 }))).toBe("a");
});

test("processes that start choose the same one: lags below the limit are equal", () => {
  expect(choose(undefined, replica("a", { lagMs: 900 }), replica("b", { lagMs: 100 }))).toBe("a");
  expect(choose(undefined, replica("a", { lagMs: 2_500 }), replica("b", { lagMs: 100 }))).toBe("b");
  // Without a consumer nothing is known of a lag.
  expect(choose(undefined, replica("a", { lagMs: null }), replica("b"))).toBe("a");
});

test("a replica that lacks rows or erasures is never read, not even when no other one answers", () => {
  expect(choose("a", replica("a", { erasedUntilMs: 1 }), replica("b", { answers: "not" }))).toBe("b");
  expect(choose("a", replica("a", { state: "rebuilding" }), replica("b", { answers: "not" }))).toBe("b");
  expect(choose("a", replica("a", { erasedUntilMs: 1 }), replica("b", { state: "rebuilding" }))).toBeUndefined();
});

test("when none answers, those that may be read are tried", () => {
  expect(choose("b", replica("a", { answers: "not" }), replica("b", { answers: "not" }))).toBe("b");
});

test("a replica has reached another one once it has stored what that one had of each partition", () => {
  expect(hasReached({ 0: "10", 1: "7" }, { 0: "10", 1: "7" })).toBe(true);
  expect(hasReached({ 0: "11", 1: "6" }, { 0: "10", 1: "7" })).toBe(false);
  expect(hasReached({ 0: "9007199254740993" }, { 0: "9007199254740994" })).toBe(false);
  expect(hasReached({ 0: "10" }, { 0: "9" })).toBe(true);
  expect(hasReached({ 0: "10" }, { 0: "9", 1: "1" })).toBe(false);
  expect(hasReached({ 0: "10" }, { 0: "9", 1: "0" }), "an unknown partition that begins with its first message").toBe(
    true,
  );
  expect(hasReached({}, {})).toBe(true);
});

const before = (more: Partial<Progress & { readonly answeredMs: number }> = {}) => ({
  offsets: { 0: "50" },
  reportAgeMs: 900,
  knownMs: 10_000,
  answeredMs: 9_500,
  ...more,
});

test("a replica takes over once it has stored the log up to its end after the last answer of the one before", () => {
  const log = { offsets: { 0: "60", 1: "7" }, askedMs: 9_600 };
  expect(isAsNew({ offsets: { 0: "60", 1: "7" } }, before(), log)).toBe(true);
  expect(isAsNew({ offsets: { 0: "60", 1: "6" } }, before(), log)).toBe(false);
  // It has answered since, with rows that may have come after that.
  expect(isAsNew({ offsets: { 0: "60", 1: "7" } }, before({ answeredMs: 9_700 }), log)).toBe(false);
  // A partition had no leader when the end was asked for.
  expect(isAsNew({ offsets: { 0: "60", 1: "7" } }, before({ offsets: { 0: "50", 2: "1" } }), log)).toBe(false);
});

test("a report of the replica before counts only if it was made after its last answer: it may have stored more since", () => {
  for (const offsets of [undefined, { 0: "99" }]) {
    const log = { offsets, askedMs: 9_600 };
    expect(isAsNew({ offsets: { 0: "50" } }, before({ reportAgeMs: 300 }), log)).toBe(true);
    expect(isAsNew({ offsets: { 0: "49" } }, before({ reportAgeMs: 300 }), log)).toBe(false);
    expect(isAsNew({ offsets: { 0: "50" } }, before({ reportAgeMs: 900 }), log)).toBe(false);
    expect(isAsNew({ offsets: {} }, before({ reportAgeMs: null, offsets: {} }), log)).toBe(false);
  }
});

test("without brokers nothing is known of what replicas have, and any one takes over", () => {
  expect(isAsNew({ offsets: {} }, before(), undefined)).toBe(true);
});
