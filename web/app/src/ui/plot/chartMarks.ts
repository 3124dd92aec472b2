import { signal } from "@preact/signals";

/** A time that explains figures: something was down, or was expected to be. */
export type ChartMark = {
  readonly kind: "incident" | "maintenance";
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  /** The page that has more about it, for people who may see it. */
  readonly href?: string;
};

/** The marks of the overview's chart. They are loaded after the first figures. */
export const chartMarks = signal<readonly ChartMark[]>([]);

/** A mark and the buckets that it touches, first and last. */
export type PlacedMark = Pick<ChartMark, "kind" | "name" | "startMs" | "href"> & {
  readonly first: number;
  readonly last: number;
};

/** Finds the buckets of marks: days, or hours with their offset, of a time zone. Marks outside are left out. */
export function placeMarks(marks: readonly ChartMark[], buckets: readonly string[], zone: string): PlacedMark[] {
  const isHourly = buckets[0]?.includes("T") ?? false;
  const dayOf = new Intl.DateTimeFormat("en-CA", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" });
  return marks.flatMap(({ endMs, ...mark }) => {
    const { startMs } = mark;
    const isTouched = (bucket: string): boolean => {
      if (!isHourly) return bucket >= dayOf.format(startMs) && bucket <= dayOf.format(endMs);
      const beginsMs = Date.parse(bucket);
      return beginsMs <= endMs && beginsMs + 3_600_000 > startMs;
    };
    const first = buckets.findIndex(isTouched);
    return first === -1 ? [] : [{ ...mark, first, last: buckets.findLastIndex(isTouched) }];
  });
}
