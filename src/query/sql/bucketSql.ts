import type { Buckets } from "../plan/buckets.ts";

/** The number of a time's bucket. The figures are computed here from the zone and contain no user input. */
export function bucketSql({ segments, unitMs }: Buckets, time: string): string {
  const shifts = segments.map(({ untilMs, shiftMs }, index) =>
    index === segments.length - 1
      ? `${shiftMs * 1000}`
      : `WHEN ${time}::long < ${untilMs * 1000} THEN ${shiftMs * 1000}`,
  );
  const shift = shifts.length === 1 ? shifts[0] : `CASE ${shifts.slice(0, -1).join(" ")} ELSE ${shifts.at(-1)} END`;
  return `(${time}::long + ${shift}) / ${unitMs * 1000}`;
}

/** QuestDB's own expression for the start of a bucket, and the bucket's number computed from it. */
export type BucketStarts = { readonly key: string; readonly number: (key: string) => string };

/**
 * Bucket starts as QuestDB's own days and hours, which takes four fifths of the time of a division; undefined where an
 * offset shifts them.
 */
export function bucketStarts({ segments, unitMs }: Buckets, time: string): BucketStarts | undefined {
  const unit = units.get(unitMs);
  const [segment] = segments;
  if (unit === undefined || segment === undefined || segments.length > 1 || segment.shiftMs % unitMs !== 0)
    return undefined;
  return {
    key: `timestamp_floor('${unit}', ${time})`,
    number: (key) => `(${key}::long + ${segment.shiftMs * 1000}) / ${unitMs * 1000}`,
  };
}

const units: ReadonlyMap<number, string> = new Map([
  [3_600_000, "h"],
  [86_400_000, "d"],
]);
