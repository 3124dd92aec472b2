import { formatBucket } from "../../texts/format.ts";

/** What the axis says at a place: a bucket in short, empty between two of them. Among the hours of several days, midnight is its day. */
export function bucketLabels(buckets: readonly string[]): (place: number) => string {
  const isHourly = buckets[0]?.includes("T") ?? false;
  return (place) => {
    const bucket = Number.isInteger(place) ? buckets[place] : undefined;
    if (bucket === undefined) return "";
    const isMidnight = isHourly && buckets.length > 25 && bucket.includes("T00:00");
    return formatBucket(isMidnight ? bucket.slice(0, 10) : bucket, { short: true });
  };
}

/** Room to the right of the last point, below which half of its label has to fit. */
export function endPadding(label: string, font: string): number {
  const context = document.createElement("canvas").getContext("2d");
  if (context === null) return leastPadding;
  context.font = font;
  return Math.max(leastPadding, Math.ceil(context.measureText(label).width / 2) + 1);
}

const leastPadding = 8;
