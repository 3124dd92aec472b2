import { IANAZone } from "luxon";
import { describe, expect, test } from "vitest";
import { isLongerThan, parseDate, presetNames, presetRange, timeZoneOf } from "../../../src/time/dates.ts";

/** Half past midnight on a Monday in Berlin, whose clocks went forward the day before; Sunday evening in London, afternoon in Los Angeles. */
const nowMs = Date.parse("2026-03-29T22:30:00Z");

function rangeOf(preset: string, zone: string): string {
  const range = presetRange(preset, nowMs, IANAZone.create(zone));
  return range === undefined ? "none" : `${iso(range.startMs)} ${iso(range.endMs)}`;
}

function iso(ms: number | undefined): string {
  return ms === undefined ? "none" : new Date(ms).toISOString().replace(":00.000Z", "Z");
}

describe("4.1 presets are whole days of the time zone", () => {
  const wanted: Record<string, [string, string, string]> = {
    today: [
      "2026-03-29T00:00Z 2026-03-30T00:00Z",
      "2026-03-29T22:00Z 2026-03-30T22:00Z",
      "2026-03-29T07:00Z 2026-03-30T07:00Z",
    ],
    yesterday: [
      "2026-03-28T00:00Z 2026-03-29T00:00Z",
      "2026-03-28T23:00Z 2026-03-29T22:00Z",
      "2026-03-28T07:00Z 2026-03-29T07:00Z",
    ],
    last_7d: [
      "2026-03-23T00:00Z 2026-03-30T00:00Z",
      "2026-03-23T23:00Z 2026-03-30T22:00Z",
      "2026-03-23T07:00Z 2026-03-30T07:00Z",
    ],
    last_14d: [
      "2026-03-16T00:00Z 2026-03-30T00:00Z",
      "2026-03-16T23:00Z 2026-03-30T22:00Z",
      "2026-03-16T07:00Z 2026-03-30T07:00Z",
    ],
    last_30d: [
      "2026-02-28T00:00Z 2026-03-30T00:00Z",
      "2026-02-28T23:00Z 2026-03-30T22:00Z",
      "2026-02-28T08:00Z 2026-03-30T07:00Z",
    ],
    last_90d: [
      "2025-12-30T00:00Z 2026-03-30T00:00Z",
      "2025-12-30T23:00Z 2026-03-30T22:00Z",
      "2025-12-30T08:00Z 2026-03-30T07:00Z",
    ],
    this_week: [
      "2026-03-23T00:00Z 2026-03-30T00:00Z",
      "2026-03-29T22:00Z 2026-03-30T22:00Z",
      "2026-03-23T07:00Z 2026-03-30T07:00Z",
    ],
    last_week: [
      "2026-03-16T00:00Z 2026-03-23T00:00Z",
      "2026-03-22T23:00Z 2026-03-29T22:00Z",
      "2026-03-16T07:00Z 2026-03-23T07:00Z",
    ],
    this_month: [
      "2026-03-01T00:00Z 2026-03-30T00:00Z",
      "2026-02-28T23:00Z 2026-03-30T22:00Z",
      "2026-03-01T08:00Z 2026-03-30T07:00Z",
    ],
    last_month: [
      "2026-02-01T00:00Z 2026-03-01T00:00Z",
      "2026-01-31T23:00Z 2026-02-28T23:00Z",
      "2026-02-01T08:00Z 2026-03-01T08:00Z",
    ],
    this_year: [
      "2026-01-01T00:00Z 2026-03-30T00:00Z",
      "2025-12-31T23:00Z 2026-03-30T22:00Z",
      "2026-01-01T08:00Z 2026-03-30T07:00Z",
    ],
  };
  const sameAs: Record<string, string> = {
    last_7_days: "last_7d",
    last_30_days: "last_30d",
    last_90_days: "last_90d",
    last7days: "last_7d",
    last30days: "last_30d",
    thisMonth: "this_month",
    lastMonth: "last_month",
    thisYear: "this_year",
  };
  test("every spelling in the three lists is accepted, and no other", () => {
    expect([...presetNames].sort()).toEqual([...Object.keys(wanted), ...Object.keys(sameAs)].sort());
    for (const name of ["Today", "LAST_7D", "last_7", "constructor", ""]) expect(rangeOf(name, "UTC")).toBe("none");
  });
  for (const name of presetNames)
    test(name, () => {
      const [utc, berlin, losAngeles] = wanted[sameAs[name] ?? name] ?? [];
      expect(rangeOf(name, "UTC")).toBe(utc);
      expect(rangeOf(name, "Europe/Berlin")).toBe(berlin);
      expect(rangeOf(name, "America/Los_Angeles")).toBe(losAngeles);
    });
});

describe("4.1 dates", () => {
  const cases: [text: string, edge: "start" | "end", zone: string, wanted: string][] = [
    ["2026-03-29", "start", "Europe/Berlin", "2026-03-28T23:00Z"],
    ["2026-03-29", "end", "Europe/Berlin", "2026-03-29T22:00Z"],
    ["2024-02-29", "end", "UTC", "2024-03-01T00:00Z"],
    ["2026-03-29T10:00", "start", "Asia/Kathmandu", "2026-03-29T04:15Z"],
    ["2026-03-29 10:00:00", "end", "Asia/Kathmandu", "2026-03-29T04:15Z"],
    ["2026-03-29T10:00:00Z", "start", "Asia/Kathmandu", "2026-03-29T10:00Z"],
    ["2026-03-29T10:00:00.000+02:00", "end", "UTC", "2026-03-29T08:00Z"],
    // Clocks skip midnight: the day starts at 01:00.
    ["2024-04-26", "start", "Africa/Cairo", "2024-04-25T22:00Z"],
    // Clocks go back over midnight: the first of the two midnights.
    ["2024-11-03", "start", "America/Havana", "2024-11-03T04:00Z"],
    ["2023-10-29", "start", "Atlantic/Azores", "2023-10-29T00:00Z"],
    ["2023-10-28", "end", "Atlantic/Azores", "2023-10-29T00:00Z"],
    ["2026-02-29", "start", "UTC", "none"],
    ["2026-13-01", "start", "UTC", "none"],
    ["2026-03", "start", "UTC", "none"],
    ["20260329", "start", "UTC", "none"],
    ["2026-W13", "start", "UTC", "none"],
    ["29.03.2026", "start", "UTC", "none"],
    ["2026-03-29T25:00", "start", "UTC", "none"],
    ["1969-12-31", "start", "UTC", "none"],
    ["9999-12-31", "end", "UTC", "none"],
    ["yesterday", "start", "UTC", "none"],
  ];
  for (const [text, edge, zone, wanted] of cases)
    test(`${text} as ${edge} in ${zone} is ${wanted}`, () => {
      expect(iso(parseDate(text, edge, IANAZone.create(zone)))).toBe(wanted);
    });
});

test("4.1 a time zone is an IANA name", () => {
  const noon = Date.parse("2026-07-01T12:00:00Z");
  const minutes = { UTC: 0, "Europe/Berlin": 120, "Asia/Kolkata": 330, "Asia/Calcutta": 330, "america/new_york": -240 };
  for (const [name, offset] of Object.entries(minutes)) expect(timeZoneOf(name)?.offset(noon)).toBe(offset);
  for (const name of ["+02:00", "local", "Mars/Olympus", "", "Europe/Berlin "])
    expect(timeZoneOf(name)).toBeUndefined();
});

test("8 a range of 30 days stays within 30 days when clocks change", () => {
  const zone = IANAZone.create("Europe/Berlin");
  const days = (start: string, end: string) => ({
    startMs: parseDate(start, "start", zone) ?? 0,
    endMs: parseDate(end, "end", zone) ?? 0,
  });
  expect(isLongerThan(days("2026-10-01", "2026-10-30"), { days: 30 }, zone)).toBe(false);
  expect(isLongerThan(days("2026-10-01", "2026-10-31"), { days: 30 }, zone)).toBe(true);
});
