import fc from "fast-check";
import { expect, test } from "vitest";
import { applyLimit, rolled, type WindowCounts, windowAt } from "../../src/access/rateLimit/slidingWindow.ts";

const windowMs = 60_000;

/** Counts calls at these times against a limit and returns the times of the accepted ones. */
function letIn(times: readonly number[], limit: number): number[] {
  let counts: WindowCounts = { window: 0, current: 0, previous: 0 };
  return times.filter((timeMs) => {
    counts = rolled(counts, windowAt(timeMs, windowMs));
    const { isAllowed } = applyLimit(counts, limit, timeMs, windowMs);
    if (isAllowed) counts = { ...counts, current: counts.current + 1 };
    return isAllowed;
  });
}

const callTimes = fc
  .array(fc.integer({ min: 0, max: 5 * windowMs }), { maxLength: 300 })
  .map((times) => times.toSorted((a, b) => a - b));

test("at most the limit within a window, and at most twice the limit in any period of a window's length", () => {
  fc.assert(
    fc.property(callTimes, fc.integer({ min: 1, max: 40 }), (times, limit) => {
      const through = letIn(times, limit);
      for (const count of Map.groupBy(through, (timeMs) => windowAt(timeMs, windowMs)).values())
        expect(count.length).toBeLessThanOrEqual(limit);
      for (const first of through)
        expect(through.filter((timeMs) => timeMs >= first && timeMs < first + windowMs).length).toBeLessThanOrEqual(
          2 * limit,
        );
    }),
  );
});

test("a caller within half the limit per window is never refused", () => {
  fc.assert(
    fc.property(callTimes, fc.integer({ min: 1, max: 40 }), (times, half) => {
      const kept = [...Map.groupBy(times, (timeMs) => windowAt(timeMs, windowMs)).values()].flatMap((of) =>
        of.slice(0, half),
      );
      expect(letIn(kept, 2 * half)).toEqual(kept);
    }),
  );
});

test("after a refusal the wait is long enough, and at most 100 ms longer than needed", () => {
  const counts = fc.record({
    current: fc.nat(50),
    previous: fc.nat(50),
    limit: fc.integer({ min: 1, max: 50 }),
    atMs: fc.nat(windowMs - 1),
  });
  fc.assert(
    fc.property(counts, ({ current, previous, limit, atMs }) => {
      const given = { window: 0, current, previous };
      const state = applyLimit(given, limit, atMs, windowMs);
      if (state.isAllowed) return;
      const countAfter = (waitMs: number) =>
        applyLimit(rolled(given, windowAt(atMs + waitMs, windowMs)), limit, atMs + waitMs, windowMs);
      expect(countAfter(state.waitMs + 1).isAllowed).toBe(true);
      if (state.waitMs > 100) expect(countAfter(state.waitMs - 100).isAllowed).toBe(false);
    }),
  );
});
