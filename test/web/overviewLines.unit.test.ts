import { beforeAll, expect, test, vi } from "vitest";
import { funnelFacts, funnelsFacts } from "../../web/app/src/pages/dashboard/more/lines/funnelFacts.ts";
import {
  daysOfAll,
  unitedMs,
  uptimeFacts,
  uptimeOf,
} from "../../web/app/src/pages/dashboard/more/lines/uptimeFacts.ts";
import { vitalFacts } from "../../web/app/src/pages/dashboard/more/lines/vitalFacts.ts";
import { texts } from "../../web/app/src/texts/en.ts";

beforeAll(() => vi.stubGlobal("navigator", { languages: ["en"] }));

/** A line as it is read. */
const nowMs = Date.parse("2026-03-05T00:00:00Z");

const said = (facts: readonly { before?: string; figure: string; after?: string }[]) =>
  facts
    .map(({ before, figure, after }) => [before, figure, after].filter((part) => part !== undefined).join(" "))
    .join(" · ");

const day = (date: string, uptimePercent: number, coveragePercent: number) =>
  ({ date, status: coveragePercent === 0 ? "unknown" : "up", uptimePercent, coveragePercent }) as never;

const monitor = (id: string, status: string, uptimePercent: number, days: never[]) => ({
  id,
  status,
  uptimePercent,
  days,
});

test("uptime is said with what was checked, and incidents with the time in which something was down", () => {
  const days = [day("2026-03-01", 99.92, 96.4), day("2026-03-02", 100, 100)];
  const page = {
    monitors: [monitor("a", "up", 99.96, days), monitor("b", "up", 99.96, days)],
    incidents: [{ startedAt: "2026-03-01T10:00:00Z", durationMs: 41 * 60_000 }],
  };
  expect(said(uptimeFacts(page, [], texts, nowMs))).toBe(
    "2 of 2 up · 99.96% of 98.2% checked · 1 incident, 41 min 0 s",
  );
  expect(said(uptimeFacts({ ...page, incidents: [] }, [], texts, nowMs))).toBe(
    "2 of 2 up · 99.96% of 98.2% checked · 0 incidents",
  );
});

test("of at most 100 checks uptime is in whole percent, as in the list of monitors", () => {
  const page = { monitors: [monitor("a", "down", 98.75, [day("2026-03-01", 98.75, 100)])], incidents: [] };
  const facts = (interval: string) =>
    said(uptimeFacts(page, [{ id: "a", createdAt: "2026-01-01T00:00:00Z", interval }], texts, nowMs));
  expect([facts("15m"), facts("5m")].map((text) => text.split(" · ")[1])).toEqual([
    "98% of 100% checked",
    "98.75% of 100% checked",
  ]);
});

test("nearly 100% is not said to be 100%, and what was never checked has no percentage", () => {
  const almost = [monitor("a", "up", 99.997, [day("2026-03-01", 99.997, 100)])];
  expect(said(uptimeFacts({ monitors: almost, incidents: [] }, [], texts, nowMs))).toContain("99.99% of 100% checked");
  const never = [monitor("a", "unknown", 0, [day("2026-03-01", 0, 0)])];
  expect(said(uptimeFacts({ monitors: never, incidents: [] }, [], texts, nowMs))).toBe(
    "0 of 1 up · Not checked · 0 incidents",
  );
});

test("days before a monitor existed are not missing checks, and a monitor weighs as much as it was checked", () => {
  const known = [{ id: "b", createdAt: "2026-03-02T00:00:00Z" }];
  const monitors = [
    monitor("a", "up", 100, [day("2026-03-01", 100, 100), day("2026-03-02", 100, 100)]),
    monitor("b", "down", 70, [day("2026-03-01", 0, 0), day("2026-03-02", 70, 100)]),
  ];
  expect(uptimeOf(monitors, known)).toEqual({ uptime: 90, coverage: 100 });
  expect(uptimeOf(monitors, []).coverage).toBe(75);
  expect(daysOfAll(monitors, known).map(({ uptimePercent, isBefore }) => [uptimePercent, isBefore])).toEqual([
    [100, false],
    [70, false],
  ]);
  expect(daysOfAll(monitors.slice(1), known)[0]).toMatchObject({ isBefore: true, coveragePercent: 0 });
});

test("two incidents at the same time are one time", () => {
  const at = (minute: number, minutes: number) => ({
    startedAt: new Date(Date.UTC(2026, 2, 1, 10, minute)).toISOString(),
    durationMs: minutes * 60_000,
  });
  expect(unitedMs([at(5, 10), at(0, 10), at(30, 5)])).toBe(20 * 60_000);
  expect(unitedMs([])).toBe(0);
});

test("vitals are said by how many are good, with the core ones, and nothing is said of what was not measured", () => {
  const row = (metric_name: string, p75: number | null) => ({ metric_name, p75 });
  const rows = [row("CLS", 0.05), row("LCP", 2_600), row("TTFB", 700), row("INP", null)];
  expect(said(vitalFacts(rows, texts))).toBe("2 of 3 good · LCP 2.6 s · CLS 0.05");
  expect(vitalFacts([row("LCP", null)], texts)).toEqual([]);
});

test("several funnels are said by how many reach the end of each, without one that nobody began, and how many more there are", () => {
  const named = [
    { name: "Checkout", conversionRate: 5.994 },
    { name: "Sign-up", conversionRate: undefined },
  ];
  expect(said(funnelsFacts(named, 2, texts))).toBe("Checkout 6% · Sign-up – · 2 more");
  expect(said(funnelsFacts(named, 0, texts))).toBe("Checkout 6% · Sign-up –");
});

test("a funnel is said by its steps and how many reach the end; without visitors it has no rate", () => {
  const steps = [{ visitors: 1_051 }, { visitors: 297 }, { visitors: 63 }];
  expect(said(funnelFacts({ steps, conversionRate: 5.994 }, texts))).toBe("1,051 → 297 → 63 · 6% reach the end");
  expect(said(funnelFacts({ steps: [{ visitors: 0 }, { visitors: 0 }] }, texts))).toBe("0 → 0");
});
