import { at, round } from "../../test/kit/load/figures.ts";

/** Of the slots that were due in a time: how many were checked, and how late those began, ms. */
export function checkFigures(due: number, latenessMs: readonly number[], seconds: number) {
  const sorted = latenessMs.toSorted((a, b) => a - b);
  const share = (part: number) => round(at(sorted, part), 1);
  return {
    duePerSecond: round(due / seconds, 1),
    donePerSecond: round(sorted.length / seconds, 1),
    donePercentOfDue: round((100 * sorted.length) / due, 2),
    latenessMs: { p50: share(0.5), p95: share(0.95), p99: share(0.99), max: share(1) },
  };
}

/** Paths of targets, of which the share (0 to 1) hangs, spread evenly. */
export function targetPaths(count: number, hangingShare: number): string[] {
  const hangs = (index: number) => Math.floor((index + 1) * hangingShare) > Math.floor(index * hangingShare);
  return Array.from({ length: count }, (_, index) => (hangs(index) ? `/hang/${index}` : `/${index}`));
}
