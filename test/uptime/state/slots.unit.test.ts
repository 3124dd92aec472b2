import fc from "fast-check";
import { expect, test } from "vitest";
import { phaseOf } from "../../../src/uptime/run/phaseOf.ts";
import { slotAfter, slotAt, slotsBetween } from "../../../src/uptime/state/slots.ts";

const times = fc.integer({ min: 0, max: 4_102_444_800_000 });
const intervals = fc.constantFrom(10_000, 60_000, 300_000, 86_400_000);
const ids = fc.uuid();

test("2: the next slot follows the slot at a time, and both are at phase + k * interval", () => {
  fc.assert(
    fc.property(times, intervals, ids, (timeMs, intervalMs, id) => {
      const phaseMs = phaseOf(id, intervalMs, timeMs);
      const at = slotAt(timeMs, intervalMs, phaseMs);
      const after = slotAfter(timeMs, intervalMs, phaseMs);
      expect(at).toBeLessThanOrEqual(timeMs);
      expect(after).toBeGreaterThan(timeMs);
      expect(after - at).toBe(intervalMs);
      expect((((after - phaseMs) % intervalMs) + intervalMs) % intervalMs).toBe(0);
      // No slot is skipped.
      expect(slotAfter(at, intervalMs, phaseMs)).toBe(after);
      expect(slotsBetween(at, after, intervalMs, phaseMs)).toBe(1);
    }),
  );
});

test("2: the first slot of a monitor follows within its interval and within five minutes", () => {
  fc.assert(
    fc.property(times, intervals, ids, (fromMs, intervalMs, id) => {
      const phaseMs = phaseOf(id, intervalMs, fromMs);
      expect(phaseOf(id, intervalMs, fromMs)).toBe(phaseMs);
      expect(phaseMs).toBeGreaterThanOrEqual(0);
      expect(phaseMs).toBeLessThan(intervalMs);
      expect(slotAfter(fromMs, intervalMs, phaseMs) - fromMs).toBeLessThanOrEqual(Math.min(intervalMs, 300_000));
    }),
  );
});

test.each([
  { intervalMs: 60_000, spreadMs: 60_000 },
  { intervalMs: 86_400_000, spreadMs: 300_000 },
])("2: 1,000 monitors of an interval of $intervalMs ms created at once are spread over $spreadMs ms", (given) => {
  const { intervalMs, spreadMs } = given;
  const fromMs = 1_795_255_140_123;
  const twelfths = Array.from({ length: 12 }, () => 0);
  for (let index = 0; index < 1_000; index++) {
    const firstMs = slotAfter(fromMs, intervalMs, phaseOf(`monitor-${index}`, intervalMs, fromMs));
    const place = Math.min(11, Math.floor((12 * (firstMs - fromMs)) / spreadMs));
    twelfths[place] = (twelfths[place] ?? 0) + 1;
  }
  expect(Math.min(...twelfths)).toBeGreaterThan(1_000 / 12 / 2);
  expect(Math.max(...twelfths)).toBeLessThan((2 * 1_000) / 12);
});
