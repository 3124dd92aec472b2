import fc from "fast-check";
import { expect, test } from "vitest";
import { phaseOf } from "../../../src/uptime/run/phaseOf.ts";
import { lastDueSlot, nextSlotMs, slotAfter, slotAt, slotsBetween } from "../../../src/uptime/state/slots.ts";

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

test("2: of the slots that came due the last one is checked, and the next one follows it", () => {
  const schedule = { websiteId: "site", intervalMs: 60_000, phaseMs: 7_000, dueFromMs: 0 };
  const nextMs = nextSlotMs(schedule, 67_000, 70_000);
  expect(nextMs).toBe(127_000);
  const inTime = lastDueSlot("m", schedule, nextMs, 127_010);
  const slot = { monitorId: "m", websiteId: "site", dueMs: 127_000, untilMs: 187_000 };
  expect(inTime).toEqual({ slot, skipped: 0 });
  const late = lastDueSlot("m", schedule, nextMs, 247_010);
  expect(late).toEqual({ slot: { ...slot, dueMs: 247_000, untilMs: 307_000 }, skipped: 2 });
  expect(nextSlotMs(schedule, late.slot.dueMs, 247_020)).toBe(307_000);
  // A timer may fire early.
  expect(lastDueSlot("m", schedule, nextMs, 126_999)).toEqual({ slot, skipped: 0 });
});

test("2: slots are due from the time that the settings say, and from now if they do not", () => {
  const settings = { intervalMs: 60_000, phaseMs: 0 };
  expect(nextSlotMs({ ...settings, dueFromMs: 600_000 }, 0, 0)).toBe(660_000);
  expect(nextSlotMs({ ...settings, dueFromMs: null }, 0, 300_000)).toBe(360_000);
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
