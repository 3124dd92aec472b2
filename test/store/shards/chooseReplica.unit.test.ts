import { expect, test } from "vitest";
import {
  chooseReplica,
  hasReached,
  isAsNew,
  type Progress,
  type ReplicaState,
} from "../../../src/store/shards/chooseReplica.ts";

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
  expect(hasReached({}, {})).toBe(true);
});

const progress = (more: Partial<Progress> = {}): Progress => ({
  offsets: {},
  lagMs: null,
  reportAgeMs: null,
  knownMs: 10_000,
  ...more,
});

test("a replica takes over once it has everything that was received until the lost one answered last", () => {
  const lost = { ...progress({ offsets: { 0: "50" }, reportAgeMs: 900 }), answers: "not" as const, answeredMs: 9_500 };
  expect(isAsNew(progress({ offsets: { 0: "40" }, lagMs: 400 }), lost)).toBe(true);
  // Its rows until 9.4 s, and the lost one has stored more after its report of 9.1 s.
  expect(isAsNew(progress({ offsets: { 0: "60" }, lagMs: 600 }), lost)).toBe(false);
});

test("a replica takes over once it has all that the lost one reported after its last answer", () => {
  const lost = {
    ...progress({ offsets: { 0: "50" }, reportAgeMs: 300 }),
    answers: "badly" as const,
    answeredMs: 9_500,
  };
  expect(isAsNew(progress({ offsets: { 0: "50" }, lagMs: 60_000 }), lost)).toBe(true);
  expect(isAsNew(progress({ offsets: { 0: "49" }, lagMs: 60_000 }), lost)).toBe(false);
});

test("a replica that lags is left for one that has what it reported, while it goes on answering", () => {
  const lagging = {
    ...progress({ offsets: { 0: "50" }, lagMs: 5_000, reportAgeMs: 900 }),
    answers: "well" as const,
    answeredMs: 10_000,
  };
  expect(isAsNew(progress({ offsets: { 0: "50" }, lagMs: 100 }), lagging)).toBe(true);
  expect(isAsNew(progress({ offsets: { 0: "49" }, lagMs: 100 }), lagging)).toBe(false);
});

test("without brokers nothing is known of what replicas have, and any one takes over", () => {
  expect(isAsNew(progress(), { ...progress(), answers: "not", answeredMs: 9_999 })).toBe(true);
});
