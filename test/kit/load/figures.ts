import type { LoadResult } from "./load.ts";

/** Of answered requests, in milliseconds. */
export function latencies({ latenciesMs }: Pick<LoadResult, "latenciesMs">) {
  const sorted = latenciesMs.toSorted((a, b) => a - b);
  return { p50: round(at(sorted, 0.5), 1), p99: round(at(sorted, 0.99), 1), max: round(at(sorted, 1), 1) };
}

/** The value at a share from 0 to 1 of sorted values. */
export function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return at(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

/** How much y grows with each unit of x: the slope of the least squares line. */
export function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const meanX = mean(points.map(([x]) => x));
  const meanY = mean(points.map(([, y]) => y));
  const covariance = mean(points.map(([x, y]) => (x - meanX) * (y - meanY)));
  return covariance / mean(points.map(([x]) => (x - meanX) ** 2));
}
