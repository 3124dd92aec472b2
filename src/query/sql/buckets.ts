import type { IANAZone } from "luxon";
import { dayOf, startOfDayMs, type TimeRange } from "../../time/dates.ts";
import { dayMs, hourMs, utcDayOf } from "../../time/utcDay.ts";

export type BucketUnit = "minute" | "hour" | "day" | "week" | "month";

/**
 * The buckets of a time series. In a segment, where the zone keeps one offset, the bucket of a time is the integer part
 * of (time + shift) / unit. `labels` has the labels of the buckets in order.
 */
export type Buckets = {
  readonly unitMs: number;
  readonly segments: readonly Segment[];
  readonly labels: readonly string[];
};

/** `untilMs` is where the next segment starts. */
export type Segment = { readonly untilMs: number; readonly shiftMs: number };

/**
 * The buckets that cover a range in a zone. A day is labelled YYYY-MM-DD, an hour by its start with the offset
 * (2026-03-29T01:00:00+01:00, Z for none), so that the two equal hours when clocks go back have different labels. A
 * week is labelled by its Monday, a month by its first day.
 *
 * The zone's offsets come from the same database as the bounds, and QuestDB only adds and divides: its own SAMPLE BY
 * and timestamp_floor take no bound zone, and date_trunc over to_timezone is slower and merges the two equal hours.
 */
export function bucketsOf(range: TimeRange, unit: BucketUnit, zone: IANAZone): Buckets {
  if (unit === "hour") return clockBuckets(range, hourMs, zone);
  if (unit === "minute") return clockBuckets(range, 60_000, zone);
  if (unit === "month") return monthlyBuckets(range, zone);
  return bucketsOfDays(range, unit === "week" ? 7 : 1, zone);
}

/** Buckets of one day, or of the seven from Monday on. */
function bucketsOfDays(range: TimeRange, days: 1 | 7, zone: IANAZone): Buckets {
  const dayNumber = (ms: number) => Math.floor((ms + zone.offset(ms) * 60_000) / dayMs);
  const firstDay = dayNumber(range.startMs);
  // Day 0, the first of January 1970, was a Thursday.
  const first = firstDay - (days === 7 ? (firstDay + 3) % 7 : 0);
  const count = Math.floor((dayNumber(range.endMs - 1) - first) / days) + 1;
  return {
    unitMs: days * dayMs,
    segments: offsetSegments(range, zone).map(({ untilMs, offsetMs }) => ({
      untilMs,
      shiftMs: offsetMs - first * dayMs,
    })),
    labels: Array.from({ length: count }, (_, index) => utcDayOf((first + index * days) * dayMs)),
  };
}

/** Longer than any month, including one in which clocks go back. */
const longestMonthMs = 32 * dayMs;

/** Months differ in length, so each is a segment of its own that starts with its bucket. */
function monthlyBuckets(range: TimeRange, zone: IANAZone): Buckets {
  const labels: string[] = [];
  const segments: Segment[] = [];
  let month = dayOf(range.startMs, zone).startOf("month");
  let startMs = startOfDayMs(month, zone);
  while (startMs < range.endMs) {
    const next = month.plus({ months: 1 });
    const untilMs = startOfDayMs(next, zone);
    segments.push({ untilMs: Math.min(untilMs, range.endMs), shiftMs: labels.length * longestMonthMs - startMs });
    labels.push(month.toFormat("yyyy-MM-dd"));
    month = next;
    startMs = untilMs;
  }
  return { unitMs: longestMonthMs, segments, labels };
}

/** Buckets of an hour or a minute. */
function clockBuckets(range: TimeRange, unitMs: number, zone: IANAZone): Buckets {
  const labels: string[] = [];
  const segments = offsetSegments(range, zone).map(({ fromMs, untilMs, offsetMs }) => {
    const firstMs = Math.floor((fromMs + offsetMs) / unitMs) * unitMs - offsetMs;
    const shiftMs = labels.length * unitMs - firstMs;
    const offset = offsetMs === 0 ? "Z" : zone.formatOffset(fromMs, "short");
    for (let bucketMs = firstMs; bucketMs < untilMs; bucketMs += unitMs) {
      // Where clocks change within an hour (Lord Howe), the bucket starts at the change.
      const startMs = bucketMs < fromMs && fromMs > range.startMs ? fromMs : bucketMs;
      labels.push(new Date(startMs + offsetMs).toISOString().slice(0, 19) + offset);
    }
    return { untilMs, shiftMs };
  });
  return { unitMs, segments, labels };
}

/** The parts of a range in which the zone's offset stays the same. */
function offsetSegments(range: TimeRange, zone: IANAZone): { fromMs: number; untilMs: number; offsetMs: number }[] {
  const segments: { fromMs: number; untilMs: number; offsetMs: number }[] = [];
  let fromMs = range.startMs;
  while (fromMs < range.endMs) {
    const untilMs = nextOffsetChange(fromMs, range.endMs, zone);
    segments.push({ fromMs, untilMs, offsetMs: zone.offset(fromMs) * 60_000 });
    fromMs = untilMs;
  }
  return segments;
}

/** No zone has changed its clocks twice within this time. */
const changeStepMs = 7 * dayMs;

function nextOffsetChange(fromMs: number, endMs: number, zone: IANAZone): number {
  const offset = zone.offset(fromMs);
  let beforeMs = fromMs;
  let afterMs = fromMs;
  while (zone.offset(afterMs) === offset) {
    if (afterMs >= endMs) return endMs;
    beforeMs = afterMs;
    afterMs = Math.min(afterMs + changeStepMs, endMs);
  }
  while (afterMs - beforeMs > 1) {
    const middleMs = Math.floor((beforeMs + afterMs) / 2);
    if (zone.offset(middleMs) === offset) beforeMs = middleMs;
    else afterMs = middleMs;
  }
  return afterMs;
}
