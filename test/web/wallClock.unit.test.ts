import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/** Loaded at run time: the app is a project of its own for the compiler. */
const file: string = fileURLToPath(new URL("../../web/app/src/texts/wallClock.ts", import.meta.url));
const {
  instantOf,
  wallClock,
}: { instantOf: (wall: string, zone: string) => string; wallClock: (ms: number, zone: string) => string } =
  await import(file);

test.each([
  ["2026-11-24T22:30", "UTC", "2026-11-24T22:30:00.000Z"],
  ["2026-07-01T09:00", "Europe/Berlin", "2026-07-01T07:00:00.000Z"],
  ["2026-12-01T00:15", "America/New_York", "2026-12-01T05:15:00.000Z"],
  ["2026-12-01T00:15", "Asia/Kathmandu", "2026-11-30T18:30:00.000Z"],
])("%s in %s is %s, and back", (wall, zone, instant) => {
  expect(instantOf(wall, zone)).toBe(instant);
  expect(wallClock(Date.parse(instant), zone)).toBe(wall);
});

test("where clocks change, a time that exists twice is the first, and one that is left out is after the gap", () => {
  expect(instantOf("2026-10-25T02:30", "Europe/Berlin")).toBe("2026-10-25T00:30:00.000Z");
  expect(instantOf("2026-03-29T02:30", "Europe/Berlin")).toBe("2026-03-29T01:30:00.000Z");
});
