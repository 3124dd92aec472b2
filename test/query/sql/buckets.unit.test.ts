import { IANAZone } from "luxon";
import { describe, expect, test } from "vitest";
import { type Buckets, bucketsOf } from "../../../src/query/sql/buckets.ts";
import { parseDate } from "../../../src/time/dates.ts";

function bucketsFor(start: string, end: string, unit: "hour" | "day", zoneName: string): Buckets {
  const zone = IANAZone.create(zoneName);
  return bucketsOf(
    { startMs: parseDate(start, "start", zone) ?? 0, endMs: parseDate(end, "end", zone) ?? 0 },
    unit,
    zone,
  );
}

/** The bucket of an instant, by the arithmetic that the statement does. */
function indexOf(instant: string, { segments, unitMs }: Buckets): number {
  const ms = Date.parse(instant);
  const shiftMs = segments.find(({ untilMs }) => ms < untilMs)?.shiftMs ?? Number.NaN;
  return Math.floor((ms + shiftMs) / unitMs);
}

test("4.1 daily buckets are the calendar days of the zone, none missing", () => {
  expect(bucketsFor("2026-02-27", "2026-03-02", "day", "Europe/Berlin").labels).toEqual([
    "2026-02-27",
    "2026-02-28",
    "2026-03-01",
    "2026-03-02",
  ]);
});

test("4.1 a range of instants covers the days and hours that it overlaps", () => {
  const zone = "Asia/Kathmandu";
  expect(bucketsFor("2026-03-01T23:50", "2026-03-02T00:10", "day", zone).labels).toEqual(["2026-03-01", "2026-03-02"]);
  expect(bucketsFor("2026-03-01T23:50", "2026-03-02T00:10", "hour", zone).labels).toEqual([
    "2026-03-01T23:00:00+05:45",
    "2026-03-02T00:00:00+05:45",
  ]);
  expect(bucketsFor("2026-03-01T23:00", "2026-03-02T00:00", "hour", zone).labels).toEqual([
    "2026-03-01T23:00:00+05:45",
  ]);
});

describe("4.1 days on which clocks change", () => {
  test("have 23 hours in spring", () => {
    const buckets = bucketsFor("2026-03-29", "2026-03-29", "hour", "Europe/Berlin");
    expect(buckets.labels).toHaveLength(23);
    expect(buckets.labels.slice(1, 3)).toEqual(["2026-03-29T01:00:00+01:00", "2026-03-29T03:00:00+02:00"]);
    expect(indexOf("2026-03-29T00:59:59Z", buckets)).toBe(1);
    expect(indexOf("2026-03-29T01:00:00Z", buckets)).toBe(2);
  });
  test("have 25 hours in autumn, with the repeated hour twice", () => {
    const buckets = bucketsFor("2026-10-25", "2026-10-25", "hour", "Europe/Berlin");
    expect(buckets.labels).toHaveLength(25);
    expect(buckets.labels.slice(2, 4)).toEqual(["2026-10-25T02:00:00+02:00", "2026-10-25T02:00:00+01:00"]);
    expect(indexOf("2026-10-25T00:30:00Z", buckets)).toBe(2);
    expect(indexOf("2026-10-25T01:30:00Z", buckets)).toBe(3);
  });
  test("keep one daily bucket", () => {
    const buckets = bucketsFor("2026-10-24", "2026-10-26", "day", "Europe/Berlin");
    expect(buckets.labels).toEqual(["2026-10-24", "2026-10-25", "2026-10-26"]);
    expect(indexOf("2026-10-24T22:00:00Z", buckets)).toBe(1);
    expect(indexOf("2026-10-25T22:59:59Z", buckets)).toBe(1);
    expect(indexOf("2026-10-25T23:00:00Z", buckets)).toBe(2);
  });
  test("may be half an hour longer or shorter", () => {
    const buckets = bucketsFor("2026-04-05", "2026-04-05", "hour", "Australia/Lord_Howe");
    expect(buckets.labels.slice(0, 4)).toEqual([
      "2026-04-05T00:00:00+11:00",
      "2026-04-05T01:00:00+11:00",
      "2026-04-05T01:30:00+10:30",
      "2026-04-05T02:00:00+10:30",
    ]);
    expect(indexOf("2026-04-04T14:59:00Z", buckets)).toBe(1);
    expect(indexOf("2026-04-04T15:00:00Z", buckets)).toBe(2);
    expect(indexOf("2026-04-04T15:29:00Z", buckets)).toBe(2);
    expect(indexOf("2026-04-04T15:30:00Z", buckets)).toBe(3);
  });
});

test("4.1 every quarter of an hour is in the bucket of its local hour, day, week or month, in every zone", () => {
  const startMs = Date.parse("2026-03-05T10:15:00Z");
  const offsetsOf = (name: string) =>
    Array.from({ length: 28 }, (_, day) => IANAZone.create(name).offset(startMs + day * 86_400_000)).join();
  // One zone of each kind: some 400 names share some 60 histories.
  const kinds = new Map(Intl.supportedValuesOf("timeZone").map((name) => [offsetsOf(name), name]));
  for (const zoneName of kinds.values()) {
    const zone = IANAZone.create(zoneName);
    const range = { startMs, endMs: startMs + 27 * 86_400_000 };
    for (const unit of ["hour", "day", "week", "month"] as const) {
      const buckets = bucketsOf(range, unit, zone);
      expect(new Set(buckets.labels).size, zoneName).toBe(buckets.labels.length);
      for (let ms = range.startMs; ms < range.endMs; ms += 900_000) {
        const local = new Date(ms + zone.offset(ms) * 60_000).toISOString();
        const label = buckets.labels[indexOf(new Date(ms).toISOString(), buckets)];
        if (label?.startsWith(localBucket(local, unit)) !== true)
          expect.fail(`${local} in ${zoneName} lies in the bucket ${label}`);
      }
    }
  }
});

/** What the label of a local time's bucket begins with. */
function localBucket(local: string, unit: "hour" | "day" | "week" | "month"): string {
  if (unit === "hour") return local.slice(0, 13);
  if (unit === "month") return `${local.slice(0, 7)}-01`;
  const daysBack = unit === "week" ? (new Date(local).getUTCDay() + 6) % 7 : 0;
  return new Date(Date.parse(local) - daysBack * 86_400_000).toISOString().slice(0, 10);
}
