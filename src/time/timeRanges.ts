import type { TimeRange } from "./dates.ts";

/** The parts of `ranges` within one range. Keeps their order; empty parts are dropped. */
export function clipped(ranges: readonly TimeRange[], { startMs, endMs }: TimeRange): TimeRange[] {
  return ranges
    .map((range) => ({ startMs: Math.max(range.startMs, startMs), endMs: Math.min(range.endMs, endMs) }))
    .filter((range) => range.startMs < range.endMs);
}

/** The same times as sorted, disjoint ranges. The argument is not changed. */
export function merged(ranges: readonly TimeRange[]): TimeRange[] {
  const list: TimeRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.startMs - b.startMs)) {
    const last = list.at(-1);
    if (last === undefined || range.startMs > last.endMs) list.push(range);
    else list[list.length - 1] = { startMs: last.startMs, endMs: Math.max(last.endMs, range.endMs) };
  }
  return list;
}

/** Whether all of a range lies within `ranges`, which must be sorted and disjoint. */
export function isCovered(range: TimeRange, ranges: readonly TimeRange[]): boolean {
  return without([range], ranges).length === 0;
}

/** From the first start to the last end; undefined without ranges. */
export function hullOf(ranges: readonly TimeRange[]): TimeRange | undefined {
  return ranges.reduce<TimeRange | undefined>(
    (hull, { startMs, endMs }) =>
      hull === undefined
        ? { startMs, endMs }
        : { startMs: Math.min(hull.startMs, startMs), endMs: Math.max(hull.endMs, endMs) },
    undefined,
  );
}

/** The parts of `ranges` outside of `taken`, which must be sorted and disjoint. */
export function without(ranges: readonly TimeRange[], taken: readonly TimeRange[]): TimeRange[] {
  return ranges.flatMap(({ startMs, endMs }) => {
    const inner = clipped(taken, { startMs, endMs });
    const starts = [startMs, ...inner.map((range) => range.endMs)];
    const ends = [...inner.map((range) => range.startMs), endMs];
    return starts
      .map((partMs, index) => ({ startMs: partMs, endMs: ends[index] ?? endMs }))
      .filter((part) => part.startMs < part.endMs);
  });
}
