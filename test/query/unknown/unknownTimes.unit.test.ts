import { IANAZone } from "luxon";
import { describe, expect, test } from "vitest";
import { type BucketUnit, bucketsOf } from "../../../src/query/sql/buckets.ts";
import { isBucketWithin } from "../../../src/query/sql/bucketTimes.ts";
import { unknownTimes } from "../../../src/query/unknown/unknownTimes.ts";
import { hourMs } from "../../../src/time/utcDay.ts";

const at = (text: string) => Date.parse(text);
const range = { startMs: at("2026-03-01T00:00Z"), endMs: at("2026-04-01T00:00Z") };

describe("4.1 times whose events are unknown", () => {
  const shown = (record: Parameters<typeof unknownTimes>[0]) =>
    unknownTimes(record, range).map(
      ({ startMs, endMs, reason }) =>
        `${reason} ${new Date(startMs).toISOString().slice(5, 10)} ${new Date(endMs).toISOString().slice(5, 10)}`,
    );

  test("are none where all is stored", () => {
    expect(
      shown({ firstMs: range.startMs, keptFromMs: range.startMs, expired: [], erased: [], notRecorded: [] }),
    ).toEqual([]);
    const erased = [{ startMs: 0, endMs: range.startMs }];
    expect(shown({ firstMs: 0, keptFromMs: 0, expired: [], erased, notRecorded: [] })).toEqual([]);
  });

  test("are all of the range for a website without events", () => {
    expect(
      shown({ firstMs: undefined, keptFromMs: at("2026-03-10"), expired: [], erased: [], notRecorded: [] }),
    ).toEqual(["not_started 03-01 04-01"]);
  });

  test("have one reason each: not started before retention before erased before not recorded", () => {
    const erased = [
      { startMs: at("2026-03-08"), endMs: at("2026-03-12") },
      { startMs: at("2026-03-20"), endMs: at("2026-03-22") },
      { startMs: at("2026-03-21"), endMs: at("2026-03-23") },
      { startMs: at("2026-03-30"), endMs: at("2026-05-01") },
    ];
    // A shorter retention was in force then.
    const expired = [{ startMs: at("2026-03-21"), endMs: at("2026-03-22") }];
    const notRecorded = [
      { startMs: at("2026-03-11"), endMs: at("2026-03-13") },
      { startMs: at("2026-03-26"), endMs: at("2026-03-27") },
    ];
    expect(shown({ firstMs: at("2026-03-05"), keptFromMs: at("2026-03-10"), expired, erased, notRecorded })).toEqual([
      "not_started 03-01 03-05",
      "retention 03-05 03-10",
      "retention 03-21 03-22",
      "erased 03-10 03-12",
      "erased 03-20 03-21",
      "erased 03-22 03-23",
      "erased 03-30 04-01",
      "not_recorded 03-12 03-13",
      "not_recorded 03-26 03-27",
    ]);
    expect(shown({ firstMs: at("2026-03-12"), keptFromMs: at("2026-03-10"), expired, erased, notRecorded })).toEqual([
      "not_started 03-01 03-12",
      "retention 03-21 03-22",
      "erased 03-20 03-21",
      "erased 03-22 03-23",
      "erased 03-30 04-01",
      "not_recorded 03-12 03-13",
      "not_recorded 03-26 03-27",
    ]);
  });
});

describe("4.1 a bucket lies within unknown times if all of it does", () => {
  const units: readonly BucketUnit[] = ["hour", "day", "week", "month"];
  const zones = ["UTC", "Europe/Berlin", "Australia/Lord_Howe", "America/St_Johns", "Pacific/Auckland"];
  const cases = units.flatMap((unit) => zones.map((zone) => ({ unit, zone })));

  test.each(cases)("$unit in $zone", ({ unit, zone }) => {
    // Clocks change in all of these zones but the first, in March or at the beginning of April.
    const asked = { startMs: at("2026-03-02T13:00Z"), endMs: at("2026-04-08T00:00Z") };
    const buckets = bucketsOf(asked, unit, IANAZone.create(zone));
    const unknown = [
      { startMs: at("2026-03-01T00:00Z"), endMs: at("2026-03-11T07:00Z") },
      { startMs: at("2026-03-28T11:00Z"), endMs: at("2026-04-06T12:00Z") },
    ];
    // The bucket of a time as QuestDB computes it.
    const bucketOf = (ms: number) => {
      const segment = buckets.segments.find(({ untilMs }) => ms < untilMs);
      return Math.floor((ms + (segment?.shiftMs ?? 0)) / buckets.unitMs);
    };
    const isUnknown = (ms: number) => unknown.some(({ startMs, endMs }) => startMs <= ms && ms < endMs);
    const known = new Set<number>();
    for (let ms = asked.startMs; ms < asked.endMs; ms += hourMs / 2) if (!isUnknown(ms)) known.add(bucketOf(ms));
    const found = buckets.labels.map((_, index) => isBucketWithin(buckets, index, asked, unknown));
    expect(found).toEqual(buckets.labels.map((_, index) => !known.has(index)));
    expect(found).toContain(false);
  });
});
