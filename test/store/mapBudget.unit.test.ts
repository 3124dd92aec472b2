import { expect, test } from "vitest";
import { fitsAlone, isShort, lowMapsMessage, mayMap } from "../../src/store/questdb/mapBudget.ts";

const never = Number.POSITIVE_INFINITY;
const limit = 65_530;

test("8: a read over a long range begins only while what it needs stays below seven eighths of the limit", () => {
  const seen = { mapped: 20_000, limit };
  expect(mayMap(seen, 0, 30_000, never)).toBe(true);
  expect(mayMap(seen, 0, 40_000, never)).toBe(false);
  // Others have begun since the count.
  expect(mayMap(seen, 10_000, 30_000, never)).toBe(false);
  expect(mayMap({ mapped: 60_000, limit }, 0, 2_000, never)).toBe(false);
});

test("8: a read over a short range always begins", () => {
  expect(isShort(14 * 62)).toBe(true);
  expect(mayMap({ mapped: 65_000, limit }, 50_000, 14 * 62, 0)).toBe(true);
});

test("8: no read over a long range begins for ten seconds after a mapping failed, whatever is known", () => {
  for (const seen of [
    { mapped: 2_000, limit: 1_048_576 },
    { mapped: undefined, limit: undefined },
  ]) {
    expect(mayMap(seen, 0, 5_000, 9_000)).toBe(false);
    expect(mayMap(seen, 0, 5_000, 11_000)).toBe(true);
  }
});

test("8: where the mappings cannot be counted, the reads that run count against a limit that was set; without one nothing is refused", () => {
  expect(mayMap({ mapped: undefined, limit }, 50_000, 5_000, never)).toBe(true);
  expect(mayMap({ mapped: undefined, limit }, 50_000, 10_000, never)).toBe(false);
  expect(mayMap({ mapped: undefined, limit: undefined }, 900_000, 900_000, never)).toBe(true);
});

test("8: what needs more than the limit by itself never fits", () => {
  expect(fitsAlone(57_000, limit)).toBe(true);
  expect(fitsAlone(58_000, limit)).toBe(false);
  expect(fitsAlone(900_000, undefined)).toBe(true);
});

test("8: /readyz says so while a mapping failed or reads were refused within 30 s, or while nearly all is mapped", () => {
  const quiet = { sinceFailureMs: never, sinceRefusalMs: never };
  expect(lowMapsMessage({ mapped: 50_000, limit }, quiet)).toBeUndefined();
  expect(lowMapsMessage({ mapped: undefined, limit: undefined }, quiet)).toBeUndefined();
  expect(lowMapsMessage({ mapped: 60_000, limit }, quiet)).toContain("60,000 of 65,530");
  expect(lowMapsMessage({ mapped: 2_000, limit }, { ...quiet, sinceRefusalMs: 29_000 })).toContain("are refused");
  expect(lowMapsMessage({ mapped: 2_000, limit }, { ...quiet, sinceRefusalMs: 31_000 })).toBeUndefined();
  expect(lowMapsMessage({ mapped: undefined, limit: undefined }, { ...quiet, sinceFailureMs: 0 })).toBe(
    "QuestDB could not map a file into memory",
  );
});
