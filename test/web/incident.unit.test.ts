import { describe, expect, test } from "vitest";
import type { CheckStatus, DeliveryEvent } from "../../packages/client-js/src/valueSets.ts";
import { squaresOf } from "../../web/app/src/pages/uptime/incident/checkSquares.ts";
import { incidentTitle } from "../../web/app/src/pages/uptime/incident/incidentTitle.ts";
import { isComparable, meantime } from "../../web/app/src/pages/uptime/incident/meantime.ts";
import { regionVotes } from "../../web/app/src/pages/uptime/incident/regionVotes.ts";
import { reportDraft, reportOn } from "../../web/app/src/pages/uptime/incident/reportDraft.ts";
import { timelineOf } from "../../web/app/src/pages/uptime/incident/timeline.ts";
import { shownSpan, stepsOf, usualBand, usualOf, weeksBefore } from "../../web/app/src/pages/uptime/incident/usual.ts";
import { shownAddress } from "../../web/app/src/pages/uptime/list/shownAddress.ts";
import { sortedRows } from "../../web/app/src/pages/uptime/list/sortedRows.ts";
import { pointsOfSeries } from "../../web/app/src/pages/uptime/monitor/timesDrawn.ts";
import { incident as texts } from "../../web/app/src/texts/settings/incident/en.ts";
import { incidentSegments } from "../../web/app/src/ui/uptime/incidentAddress.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const startMs = Date.UTC(2026, 10, 13, 9, 20);
const at = (minutes: number): string => new Date(startMs + minutes * minuteMs).toISOString();

describe("the title of an incident", () => {
  test.each([
    ["HTTP status 503, expected 200-299", "Shop answered 503"],
    ["HTTP 503", "Shop answered 503"],
    ["no answer within 5000 ms, while connecting", "Shop did not answer in time"],
    ['the keyword "ok" was not found', "Shop gave a wrong answer"],
    ["JSON assertion failed: $.a must exist, found nothing", "Shop gave a wrong answer"],
    ["the host name is unknown", "Shop could not be reached"],
    ["something else", "Shop was down"],
  ])("of %s is %s", (error, title) => {
    expect(incidentTitle("Shop", error, texts.titles)).toBe(title);
  });

  test("its id is two segments of its address", () => {
    expect(incidentSegments("w", "m/123")).toEqual(["uptime", "w", "incident", "m", "123"]);
  });
});

const check = (minutes: number, probeRegion: string, status: CheckStatus, error?: string) => ({
  scheduledAt: at(minutes),
  timestamp: at(minutes),
  probeRegion,
  status,
  ...(error === undefined ? {} : { error }),
});

describe("votes of regions", () => {
  const checks = [
    check(0, "eu", "down"),
    check(0, "us", "up"),
    check(1, "eu", "down"),
    check(1, "asia", "down"),
    check(2, "eu", "up"),
  ];

  test("are those of the last slot by then; who did not answer has none", () => {
    expect(regionVotes(checks, ["eu", "us", "asia"], startMs + minuteMs)).toEqual({
      down: ["eu", "asia"],
      answered: ["eu", "asia"],
      silent: ["us"],
    });
    expect(regionVotes(checks, ["eu"], startMs - 1)).toBeUndefined();
  });
});

describe("what happened", () => {
  const incident = {
    startedAt: at(0),
    resolvedAt: at(41),
    acknowledgedAt: at(5),
    acknowledgedBy: "Ada",
    firstError: "HTTP 503",
    regions: ["eu"],
  } as Parameters<typeof timelineOf>[0]["incident"];
  const delivery = (minutes: number, event: DeliveryEvent, channelId: string) => ({
    channelId,
    event,
    status: "delivered",
    attempts: 1,
    createdAt: at(minutes),
  });
  const report = {
    title: "Orders fail",
    pageId: "p",
    updates: [
      { postedAt: at(41), status: "resolved" },
      { postedAt: at(12), status: "investigating" },
    ],
  } as Parameters<typeof timelineOf>[0]["reports"][number];
  const entries = timelineOf({
    incident,
    regions: ["eu"],
    openedAt: at(1),
    checks: [
      check(-1, "eu", "up"),
      check(0, "eu", "down", "HTTP 503 after 2 s"),
      check(1, "eu", "down"),
    ] as unknown as Parameters<typeof timelineOf>[0]["checks"],
    deliveries: [
      delivery(1, "incident.opened", "a"),
      delivery(1, "incident.opened", "b"),
      delivery(41, "incident.resolved", "a"),
    ],
    reports: [report],
    notes: [{ id: "n", text: "A disk is full.", writtenBy: "Ada", writtenAt: at(7) }],
  });

  test("is in the order of time, with causes before effects", () => {
    expect(entries.map(({ kind, atMs }) => [kind, (atMs - startMs) / minuteMs])).toEqual([
      ["failed", 0],
      ["down", 1],
      ["told", 1],
      ["acknowledged", 5],
      ["note", 7],
      ["reported", 12],
      ["up", 41],
      ["told", 41],
      ["reported", 41],
    ]);
  });

  test("begins with the first failed check, its reason and its region", () => {
    expect(entries[0]).toMatchObject({ error: "HTTP 503 after 2 s", region: "eu" });
  });

  test("has one entry for the messages of one event", () => {
    expect(entries[2]).toMatchObject({ deliveries: [{ channelId: "a" }, { channelId: "b" }] });
  });

  test("without checks has the error of the incident", () => {
    const [first] = timelineOf({
      incident: { ...incident, regions: ["eu", "us"] },
      regions: [],
      openedAt: undefined,
      checks: [],
      deliveries: [],
      reports: [],
      notes: [],
    });
    expect(first).toMatchObject({ kind: "failed", error: "HTTP 503", region: undefined });
  });
});

describe("squares of checks", () => {
  test("are a row for each region, grey where it did not check", () => {
    const checks = [
      check(0, "eu", "up"),
      check(1, "eu", "down", "HTTP 503"),
      check(2, "eu", "up"),
      check(1, "us", "up"),
    ];
    const squares = squaresOf(checks as never, ["us", "eu", "asia"], minuteMs);
    expect(squares?.rows.map(({ region, squares: of }) => [region, of.map(({ state }) => state)])).toEqual([
      ["asia", ["unknown", "unknown", "unknown"]],
      ["eu", ["up", "down", "up"]],
      ["us", ["unknown", "up", "unknown"]],
    ]);
    expect(squares?.rows[1]?.squares[1]?.error).toBe("HTTP 503");
    expect(squaresOf([], ["eu"], minuteMs)).toBeUndefined();
  });

  test("have several slots if there are too many, and then the worst state", () => {
    const checks = Array.from({ length: 121 }, (_, minutes) => check(minutes, "eu", minutes === 5 ? "down" : "up"));
    const squares = squaresOf(checks as never, ["eu"], minuteMs);
    expect(squares?.stepMs).toBe(3 * minuteMs);
    expect(squares?.rows[0]?.squares.length).toBeLessThanOrEqual(60);
    expect(squares?.rows[0]?.squares.map(({ state }) => state).indexOf("down")).toBe(1);
  });
});

describe("what is usual", () => {
  test("is the median of at least 3 known weeks, and the band is the middle half", () => {
    expect(usualOf([10, 20, 30, 40, null])).toBe(25);
    expect(usualBand([10, 20, 30, 40, null])).toEqual({ low: 17.5, high: 32.5 });
    expect(usualOf([10, null, 30])).toBeUndefined();
    expect(usualBand([undefined, 1, 2])).toBeUndefined();
  });

  test("is compared with as many known weeks as it says", () => {
    const week = (total: number | null) => ({ total, conversions: null, steps: [] });
    const visitors = { now: week(96), before: [week(200), week(201), week(null), week(205)] };
    expect(meantime(visitors, ({ total }) => total)).toEqual({
      ...{ now: 96, usual: 201, weeks: 3 },
      ...{ lowest: 200, highest: 205 },
    });
    expect([isComparable(4), isComparable(5)]).toEqual([false, true]);
  });

  test("weeks before are those of the clock, also across a change of clocks", () => {
    // Clocks in Berlin were put back on 25 October 2026.
    const noon = Date.UTC(2026, 9, 29, 11);
    expect(new Date(weeksBefore(noon, 1, "Europe/Berlin")).toISOString()).toBe("2026-10-22T10:00:00.000Z");
    expect(weeksBefore(noon + 1_234, 0, "Europe/Berlin")).toBe(noon + 1_234);
    expect(weeksBefore(noon + 1_234, 1, "UTC")).toBe(noon + 1_234 - 7 * 24 * hourMs);
  });

  test("the chart has at most 24 steps, at least an hour around the incident, and nothing after now", () => {
    const incident = { fromMs: startMs, untilMs: startMs + 41 * minuteMs };
    const span = shownSpan(incident, startMs + 24 * hourMs);
    expect(span.fromMs).toBeLessThanOrEqual(startMs - hourMs);
    expect(stepsOf(span).length).toBeLessThanOrEqual(24);
    expect(span.stepMs).toBe(10 * minuteMs);
    const now = shownSpan(incident, startMs + 45 * minuteMs);
    expect(now.untilMs).toBeLessThanOrEqual(startMs + 45 * minuteMs);
    const long = shownSpan({ fromMs: startMs, untilMs: startMs + 9 * 24 * hourMs }, startMs + 90 * 24 * hourMs);
    expect(stepsOf(long).length).toBeLessThanOrEqual(24);
  });
});

describe("what customers are told", () => {
  const open = { startedAt: at(0) };
  const over = { startedAt: at(0), resolvedAt: at(41) };

  test("begins with a first text, goes on, and ends with resolved", () => {
    expect(reportDraft("Checkout", open as never, undefined, texts)).toEqual({
      title: "Checkout is disturbed",
      status: "investigating",
      text: "Checkout has not answered as it should since 09:20 UTC. We are looking into it.",
    });
    const before = { title: "Orders fail", status: "investigating" } as const;
    expect(reportDraft("Checkout", open as never, before, texts)).toMatchObject({
      title: "Orders fail",
      status: "identified",
    });
    expect(reportDraft("Checkout", over as never, before, texts)).toEqual({
      title: "Orders fail",
      status: "resolved",
      text: "Checkout works again. It was disturbed from 09:20 UTC to 10:01 UTC.",
    });
  });

  test("has nothing to say once it was resolved", () => {
    const before = { title: "Orders fail", status: "resolved" } as const;
    expect(reportDraft("Checkout", over as never, before, texts)).toEqual({ ...before, text: "" });
  });

  test("continues the last report of the page", () => {
    const reports = [
      { id: "1", pageId: "a" },
      { id: "2", pageId: "a" },
      { id: "3", pageId: "b" },
    ] as unknown as Parameters<typeof reportOn>[0];
    expect(reportOn(reports, "a")?.id).toBe("2");
    expect(reportOn(reports, "c")).toBeUndefined();
  });
});

describe("the list of monitors", () => {
  const rows = [
    { id: "1", name: "B", state: "up", p95Ms: 90, summary: { uptimePercent: 99, coveragePercent: 100 } },
    { id: "2", name: "A", state: "up", p95Ms: null, summary: { uptimePercent: 0, coveragePercent: 0 } },
    { id: "3", name: "C", state: "down", p95Ms: 900, summary: { uptimePercent: 99.9, coveragePercent: 100 } },
  ];

  test.each([
    ["name", ["2", "1", "3"]],
    ["state", ["3", "2", "1"]],
    ["p95", ["3", "1", "2"]],
    ["up", ["1", "3", "2"]],
  ] as const)("is sorted by %s, with what is unknown last", (by, order) => {
    expect(sortedRows(rows, by)).toEqual(order);
  });

  test("shows addresses without their query", () => {
    expect(shownAddress("https://api.example.com/health/?token=1")).toBe("api.example.com/health");
    expect(shownAddress("https://example.com/")).toBe("example.com");
  });
});

test("response times of a series begin with the first checked span and count failures", () => {
  const row = (date: string, total: number, good: number, p50: number | null) => ({
    date,
    total_checks: total,
    successful_checks: good,
    p50_response_time: p50,
    p95_response_time: p50 === null ? null : p50 * 2,
  });
  expect(
    pointsOfSeries([row("2026-11-01", 0, 0, null), row("2026-11-02", 10, 8, 50), row("2026-11-03", 0, 0, null)]),
  ).toMatchObject([
    { atMs: Date.UTC(2026, 10, 2), p50: 50, p95: 100, failures: 2 },
    { p50: null, p95: null, failures: 0 },
  ]);
});
