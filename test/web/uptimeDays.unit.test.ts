import { expect, test } from "vitest";
import { formatPercent } from "../../src/uptime/statusPages/render/format.ts";
import { texts } from "../../src/uptime/statusPages/texts/en.ts";
import { plainReader } from "../../src/uptime/statusPages/texts/reader.ts";
import { downShare, isBeforeMonitor, isPartlyDown } from "../../web/app/src/ui/uptime/shownDay.ts";
import { checksBetween, checksOfDays, formatUptime } from "../../web/app/src/ui/uptime/uptimeText.ts";

const dayMs = 86_400_000;
const day = { status: "up", uptimePercent: 100, coveragePercent: 100 };

test("a day with an outage has a red part that can be seen, and slow answers alone have none", () => {
  const shareOf = (more: Partial<typeof day>) => downShare({ ...day, ...more });
  expect(shareOf({})).toBe(0);
  expect(shareOf({ status: "degraded" })).toBe(0);
  // 45 minutes of a day.
  expect(shareOf({ status: "degraded", uptimePercent: 96.875 })).toBe(0.12);
  expect(shareOf({ status: "degraded", uptimePercent: 60 })).toBeCloseTo(0.4);
  expect(shareOf({ status: "down", uptimePercent: 40 })).toBe(1);
  expect(shareOf({ status: "unknown", uptimePercent: 0, coveragePercent: 0 })).toBe(0);
  expect(isPartlyDown({ ...day, status: "degraded", uptimePercent: 99.9 })).toBe(true);
  expect(isPartlyDown({ ...day, status: "down", uptimePercent: 10 })).toBe(false);
});

test("days before a monitor was created are no days of which nothing is known", () => {
  const createdAt = "2026-03-10T08:00:00Z";
  expect(["2026-03-09", "2026-03-10", "2026-03-09T00:00:00.000Z"].map((of) => isBeforeMonitor(of, createdAt))).toEqual([
    true,
    false,
    true,
  ]);
  expect(isBeforeMonitor("2020-01-01", undefined)).toBe(false);
});

test.each([
  [66.666, 3, "66%"],
  [0, 1, "0%"],
  [98.333, 60, "98%"],
  [99.666, 300, "99.66%"],
  [99.93, 1_440, "99.93%"],
  [99.997, 43_200, "99.99%"],
  [100, 3, "100%"],
  [99.94, 30, "99%"],
  [99.9996, 43_200, "99.99%"],
  [99.9996, undefined, "99.99%"],
  [0.002, 43_200, "0.01%"],
  [0.002, undefined, "0.01%"],
  [0.29, undefined, "0.29%"],
  [99.97, undefined, "99.97%"],
  [99.5, undefined, "99.5%"],
])("%f percent of %s checks are written as %3$s", (percent, checks, written) => {
  expect(formatUptime(percent, checks)).toBe(written);
});

test.each([100, 99.9996, 99.97, 66.6666, 0.29, 0.002, 0])(
  "status pages write %f percent as the app does",
  (percent) => {
    expect(formatPercent(percent, { reader: plainReader("en"), texts })).toBe(formatUptime(percent));
  },
);

test("checks are counted from the creation of the monitor, and of today up to now", () => {
  const nowMs = Date.parse("2026-03-11T12:00:00Z");
  const checking = { interval: "1m", createdAt: "2026-03-11T11:57:00Z" };
  const days = ["2026-03-10", "2026-03-11"].map((timestamp, index) => ({ timestamp, coveragePercent: index * 100 }));
  expect(checksOfDays(days, checking, nowMs)).toBe(3);
  expect(checksBetween(nowMs - dayMs, nowMs, 100, checking)).toBe(3);
  expect(checksBetween(nowMs - dayMs, nowMs, 50, { ...checking, createdAt: "2026-01-01T00:00:00Z" })).toBe(720);
  expect(checksBetween(nowMs - dayMs, nowMs, 50, { ...checking, interval: "2m" })).toBeUndefined();
});
