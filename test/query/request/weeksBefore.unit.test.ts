import { IANAZone } from "luxon";
import { expect, test } from "vitest";
import { weeksBefore } from "../../../src/time/weeksBefore.ts";

const berlin = IANAZone.create("Europe/Berlin");

const instants = (from: string, until: string) => ({ startMs: Date.parse(from), endMs: Date.parse(until) });

test.each([
  // The clocks of Berlin went back on 25 October 2026: it was 10:30 an hour earlier in UTC before.
  [1, "2026-10-20T22:00:00Z", "2026-10-21T08:30:00Z"],
  [2, "2026-10-13T22:00:00Z", "2026-10-14T08:30:00Z"],
])(
  "%i weeks before a day is the same weekday until the same time of day, also where clocks change",
  (weeks, from, until) => {
    const soFar = instants("2026-10-27T23:00:00Z", "2026-10-28T09:30:00Z");
    expect(weeksBefore(soFar, weeks, berlin)).toEqual(instants(from, until));
  },
);

test("a day that has just begun is compared with a moment", () => {
  const began = instants("2026-10-27T23:00:00Z", "2026-10-27T23:00:00Z");
  const { startMs, endMs } = weeksBefore(began, 1, berlin);
  expect([startMs, endMs]).toEqual([Date.parse("2026-10-20T22:00:00Z"), startMs + 1]);
});
