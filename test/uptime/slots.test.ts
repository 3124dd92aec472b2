import fc from "fast-check";
import { expect, test } from "vitest";
import { phaseOf } from "../../src/uptime/phaseOf.ts";
import { slotAfter, slotAt, slotsBetween } from "../../src/uptime/slots.ts";

const times = fc.integer({ min: 0, max: 4_102_444_800_000 });
const intervals = fc.constantFrom(10_000, 60_000, 300_000, 86_400_000);
const ids = fc.uuid();

test("2: the slot after a time is the one after the slot at that time, and both lie on phase + k * interval", () => {
  fc.assert(
    fc.property(times, intervals, ids, (timeMs, intervalMs, id) => {
      const phaseMs = phaseOf(id, intervalMs);
      const at = slotAt(timeMs, intervalMs, phaseMs);
      const after = slotAfter(timeMs, intervalMs, phaseMs);
      expect(at).toBeLessThanOrEqual(timeMs);
      expect(after).toBeGreaterThan(timeMs);
      expect(after - at).toBe(intervalMs);
      expect((((after - phaseMs) % intervalMs) + intervalMs) % intervalMs).toBe(0);
      // From one slot to the next there is none left out.
      expect(slotAfter(at, intervalMs, phaseMs)).toBe(after);
      expect(slotsBetween(at, after, intervalMs, phaseMs)).toBe(1);
    }),
  );
});

test("2: a monitor keeps its phase, and phases spread over the interval", () => {
  fc.assert(
    fc.property(ids, intervals, (id, intervalMs) => {
      const phaseMs = phaseOf(id, intervalMs);
      expect(phaseOf(id, intervalMs)).toBe(phaseMs);
      expect(phaseMs).toBeGreaterThanOrEqual(0);
      expect(phaseMs).toBeLessThan(intervalMs);
    }),
  );
  const perSecond = new Map<number, number>();
  for (let index = 0; index < 1_000; index++) {
    const second = Math.floor(phaseOf(`monitor-${index}`, 60_000) / 1_000);
    perSecond.set(second, (perSecond.get(second) ?? 0) + 1);
  }
  // 1,000 monitors in 60 seconds are 17 a second.
  expect(perSecond.size).toBe(60);
  expect(Math.max(...perSecond.values())).toBeLessThan(40);
});
