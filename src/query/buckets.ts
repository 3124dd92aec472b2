import type { IANAZone } from "luxon";
import type { TimeRange } from "./dates.ts";

export type BucketUnit = "hour" | "day";

/**
 * The buckets of a time series. In a segment, where the zone keeps one offset, the bucket of a time is the whole part of
 * (time + shift) / unit. `labels` names the buckets in order.
 */
export type Buckets = {
  readonly unitMs: number;
  readonly segments: readonly Segment[];
  readonly labels: readonly string[];
};

/** `untilMs` is where the next segment starts. */
export type Segment = { readonly untilMs: number; readonly shiftMs: number };

const hourMs = 3_600_000;
const dayMs = 86_400_000;

/**
 * The buckets that cover a range in a zone. A day is YYYY-MM-DD, an hour its start with the offset (2026-03-29T01:00:00+01:00, Z for
 * none), so that the two equal hours of a clock that goes back stay apart.
 *
 * The zone's offsets come from the same database as the bounds, and QuestDB only adds and divides: its own SAMPLE BY and
 * timestamp_floor take no bound zone, and date_trunc over to_timezone is slower and merges the two equal hours.
 */
export function bucketsOf(range: TimeRange, unit: BucketUnit, zone: IANAZone): Buckets {
  return unit === "day" ? dailyBuckets(range, zone) : hourlyBuckets(range, zone);
}

function dailyBuckets(range: TimeRange, zone: IANAZone): Buckets {
  const dayNumber = (ms: number) => Math.floor((ms + zone.offset(ms) * 60_000) / dayMs);
  const first = dayNumber(range.startMs);
  const count = dayNumber(range.endMs - 1) - first + 1;
  return {
    unitMs: dayMs,
    segments: offsetSegments(range, zone).map(({ untilMs, offsetMs }) => ({
      untilMs,
      shiftMs: offsetMs - first * dayMs,
    })),
    labels: Array.from({ length: count }, (_, index) => new Date((first + index) * dayMs).toISOString().slice(0, 10)),
  };
}

function hourlyBuckets(range: TimeRange, zone: IANAZone): Buckets {
  const labels: string[] = [];
  const segments = offsetSegments(range, zone).map(({ fromMs, untilMs, offsetMs }) => {
    const firstHourMs = Math.floor((fromMs + offsetMs) / hourMs) * hourMs - offsetMs;
    const shiftMs = labels.length * hourMs - firstHourMs;
    const offset = offsetMs === 0 ? "Z" : zone.formatOffset(fromMs, "short");
    for (let hour = firstHourMs; hour < untilMs; hour += hourMs) {
      // Where clocks change within an hour (Lord Howe), the bucket starts at the change.
      const startMs = hour < fromMs && fromMs > range.startMs ? fromMs : hour;
      labels.push(new Date(startMs + offsetMs).toISOString().slice(0, 19) + offset);
    }
    return { untilMs, shiftMs };
  });
  return { unitMs: hourMs, segments, labels };
}

/** The stretches of a range in which the zone's offset stays the same. */
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

/** No zone has changed its clocks twice within so short a time. */
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
