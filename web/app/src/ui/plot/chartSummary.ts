type Point = { readonly bucket: string; readonly value: number };

export type ChartSummary = {
  readonly highest: Point;
  readonly lowest: Point;
  readonly trend: "rising" | "falling" | "steady";
};

/** Smaller differences between the halves of a line are no trend. */
const leastTrend = 0.1;

/**
 * What is seen in a line: its highest and its lowest bucket, the first of each, and whether its second half is higher than its first. Undefined where
 * fewer than two buckets have a value.
 */
export function chartSummary(buckets: readonly string[], values: readonly (number | null)[]): ChartSummary | undefined {
  const points = buckets.flatMap((bucket, index): Point[] => {
    const value = values[index] ?? null;
    return value === null ? [] : [{ bucket, value }];
  });
  const [first] = points;
  if (first === undefined || points.length < 2) return undefined;
  const half = Math.floor(points.length / 2);
  const [before, after] = [meanOf(points.slice(0, half)), meanOf(points.slice(-half))];
  const isTrend = Math.abs(after - before) > leastTrend * Math.max(before, after);
  return {
    highest: points.reduce((best, point) => (point.value > best.value ? point : best), first),
    lowest: points.reduce((best, point) => (point.value < best.value ? point : best), first),
    trend: isTrend ? (after > before ? "rising" : "falling") : "steady",
  };
}

function meanOf(points: readonly Point[]): number {
  return points.reduce((sum, { value }) => sum + value, 0) / points.length;
}
