import { expect, test } from "vitest";
import type { UnknownTime } from "../../packages/client-js/src/query.ts";
import { keptSince, lacksStart, mergedUnknown } from "../../web/app/src/figures/unknownTimes.ts";

const time = (from: string, until: string, reason: UnknownTime["reason"]): UnknownTime => ({
  from: `2026-${from}T00:00:00.000Z`,
  until: `2026-${until}T00:00:00.000Z`,
  reason,
});

test("times that follow one another for the same reason are one, in their order", () => {
  const [before, own] = [time("03-01", "03-08", "not_started"), time("03-08", "03-10", "not_started")];
  expect(mergedUnknown([own, time("03-12", "03-13", "erased"), before])).toEqual([
    time("03-01", "03-10", "not_started"),
    time("03-12", "03-13", "erased"),
  ]);
  // Today is compared with a part of a day.
  expect(mergedUnknown([{ ...before, until: "2026-03-07T04:00:00.000Z" }, own])).toEqual([
    time("03-01", "03-10", "not_started"),
  ]);
  expect(mergedUnknown([before, time("03-09", "03-10", "not_started")])).toHaveLength(2);
  expect(mergedUnknown([before, { ...own, reason: "retention" }])).toHaveLength(2);
  expect(mergedUnknown([])).toEqual([]);
});

test("that an unfinished range goes on is nothing to say", () => {
  expect(mergedUnknown([time("03-12", "03-13", "future"), time("03-01", "03-02", "erased")])).toEqual([
    time("03-01", "03-02", "erased"),
  ]);
});

test("figures are kept since the day on which the first event or the retention begins, by the website's clock", () => {
  const times = [time("03-01", "03-05", "not_started"), time("03-12", "03-13", "erased")];
  const endMs = Date.parse("2026-03-20");
  expect(keptSince(times, endMs, "UTC")).toBe("2026-03-05");
  expect(keptSince(times, endMs, "America/New_York")).toBe("2026-03-04");
  expect(keptSince([time("03-01", "03-20", "retention")], endMs, "UTC")).toBeUndefined();
  expect(keptSince([time("03-12", "03-13", "erased")], endMs, "UTC")).toBeUndefined();
  expect([lacksStart(times), lacksStart(times.slice(1)), lacksStart([])]).toEqual([true, false, false]);
});
