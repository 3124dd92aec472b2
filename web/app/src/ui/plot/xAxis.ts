import { formatBucket, formatDay } from "../../texts/format.ts";

/**
 * What the axis says at places: buckets in short, empty between two of them. Among the hours of several days, midnight is its day. Where buckets are
 * of several years, the first label and each one of another year than the one before it have their year.
 */
export function bucketLabels(buckets: readonly string[], places: readonly number[]): string[] {
  const isHourly = buckets[0]?.includes("T") ?? false;
  const hasYears = isOfYears(buckets);
  let year = "";
  return places.map((place) => {
    const bucket = Number.isInteger(place) ? buckets[place] : undefined;
    if (bucket === undefined) return "";
    const isDay = !isHourly || (buckets.length > 25 && bucket.includes("T00:00"));
    if (!isDay) return formatBucket(bucket, { short: true });
    const withYear = hasYears && bucket.slice(0, 4) !== year;
    year = bucket.slice(0, 4);
    return formatDay(bucket, { withYear });
  });
}

/** Whether buckets are of more than one year. */
export function isOfYears(buckets: readonly string[]): boolean {
  return buckets[0]?.slice(0, 4) !== buckets.at(-1)?.slice(0, 4);
}

/** Room to the right of the last point, where half of its label has to fit. */
export function endPadding(label: string, font: string): number {
  const context = document.createElement("canvas").getContext("2d");
  if (context === null) return leastPadding;
  context.font = font;
  return Math.max(leastPadding, Math.ceil(context.measureText(label).width / 2) + 1);
}

const leastPadding = 8;
