import { describe, expect, test } from "vitest";
import { Standstill, type TableProgress } from "../../src/store/questdb/standstill.ts";
import { StandstillRule } from "../../stack/standstillRule.ts";

const state = (applied: number, committed: number, isSuspended = false): TableProgress => ({
  applied,
  committed,
  isSuspended,
});

/** What is found each 5 s, from the first one on. */
function durationsOf(states: readonly TableProgress[]): number[] {
  const standstill = new Standstill();
  return states.map((each, index) => standstill.note(each, index * 5_000));
}

describe("how long a table stands still", () => {
  test("counts from when something waited and nothing was applied", () => {
    expect(durationsOf([state(4, 4), state(4, 9), state(4, 12), state(4, 20)])).toEqual([0, 5_000, 10_000, 15_000]);
  });

  test("ends with each transaction that is applied, however many wait", () => {
    expect(durationsOf([state(4, 900), state(4, 950), state(5, 999), state(5, 999), state(6, 999)])).toEqual([
      0, 5_000, 0, 5_000, 0,
    ]);
  });

  test("does not count while the table is suspended or nothing waits", () => {
    expect(durationsOf([state(4, 9), state(4, 9, true), state(4, 9, true), state(4, 9)])).toEqual([0, 0, 0, 5_000]);
    expect(durationsOf([state(4, 4), state(4, 4), state(4, 4)])).toEqual([0, 0, 0]);
  });

  test("does not count while QuestDB did not answer", () => {
    const standstill = new Standstill();
    expect([0, 5_000, 300_000, 305_000].map((atMs) => standstill.note(state(4, 9), atMs))).toEqual([
      0, 5_000, 0, 5_000,
    ]);
  });
});

describe("a QuestDB is ended", () => {
  /** At which seconds, of states that are looked at each 5 s. */
  const endsAt = (stateAt: (second: number) => readonly [string, TableProgress][], seconds: number) => {
    const rule = new StandstillRule(120_000);
    const found: [number, string][] = [];
    for (let second = 0; second <= seconds; second += 5) {
      const reason = rule.decide(new Map(stateAt(second)), second * 1_000);
      if (reason !== undefined) found.push([second, reason]);
    }
    return found;
  };

  test("once a table has applied nothing for the time, whatever others do", () => {
    const found = endsAt(
      (second) => [
        ["links", state(second, second + 50)],
        ["events", state(4, 9)],
      ],
      200,
    );
    expect(found).toEqual([[120, "has applied nothing to the table events for 120 s, though transactions wait"]]);
  });

  test("after twice the time if that did not help, and after the time again once something was applied", () => {
    const seconds = endsAt((second) => [["events", state(second < 1_000 ? 4 : 5, 9)]], 1_200).map(([second]) => second);
    // The first look after an end begins the time anew.
    expect(seconds).toEqual([120, 365, 850, 1_120]);
  });
});
