import { expect, test } from "vitest";
import { firstDayMs } from "../../../src/query/unknown/firstDay.ts";

const day = (...hours: [timeZone: string, hour: string][]) => {
  const ms = firstDayMs(hours.map(([timeZone, hour]) => [timeZone, Date.parse(hour)]));
  return ms === undefined ? undefined : new Date(ms).toISOString();
};

test("4.1 the first day begins at midnight in the website's time zone, and of several websites it is the earliest", () => {
  expect(day()).toBeUndefined();
  expect(day(["UTC", "2026-11-20T23:00Z"])).toBe("2026-11-20T00:00:00.000Z");
  expect(day(["America/Los_Angeles", "2026-11-20T02:00Z"])).toBe("2026-11-19T08:00:00.000Z");
  expect(day(["Asia/Tokyo", "2026-11-20T20:00Z"])).toBe("2026-11-20T15:00:00.000Z");
  expect(day(["Asia/Tokyo", "2026-11-20T20:00Z"], ["UTC", "2026-11-20T14:00Z"])).toBe("2026-11-20T00:00:00.000Z");
  // Clocks skip midnight there on this day.
  expect(day(["America/Santiago", "2026-09-06T12:00Z"])).toBe("2026-09-06T04:00:00.000Z");
});
