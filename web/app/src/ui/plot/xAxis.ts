import { formatBucket } from "../../texts/format.ts";

/**
 * The label of the axis at a place: a bucket in short form, empty between two of them. Among the hours of several days, midnight
 * shows its day.
 */
export function bucketLabels(buckets: readonly string[]): (place: number) => string {
  const isHourly = buckets[0]?.includes("T") ?? false;
  return (place) => {
    const bucket = Number.isInteger(place) ? buckets[place] : undefined;
    if (bucket === undefined) return "";
    const isMidnight = isHourly && buckets.length > 25 && bucket.includes("T00:00");
    return formatBucket(isMidnight ? bucket.slice(0, 10) : bucket, { short: true });
  };
}

/** Room to the right of the last point, where half of its label has to fit. */
export function endPadding(label: string, font: string): number {
  const context = document.createElement("canvas").getContext("2d");
  if (context === null) return leastPadding;
  context.font = font;
  return Math.max(leastPadding, Math.ceil(context.measureText(label).width / 2) + 1);
}

const leastPadding = 8;
