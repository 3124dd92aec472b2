import type { Buckets } from "./buckets.ts";

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
