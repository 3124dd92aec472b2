/** Values of buckets; null where nothing is known. */
type Values = readonly (number | null)[];

type Point = { readonly x: number; readonly y: number };

/** The size of the drawing in its own units; the page stretches it. */
export const sparkSize = { width: 100, height: 24 } as const;

/** The highest line stays inside the drawing. */
const margin = 1;

export type SparkPaths = { readonly line: string; readonly area: string };

/**
 * The lines of a sparkline and the area below them, from 0 up to the highest value. A line has a gap where nothing is known. A value between two gaps
 * is a line without length, which round ends make a dot.
 */
export function sparkPaths(values: Values): SparkPaths {
  const { width, height } = sparkSize;
  const most = Math.max(0, ...values.map((value) => value ?? 0)) || 1;
  const points = values.map((value, index) =>
    value === null
      ? undefined
      : {
          x: round(values.length < 2 ? width / 2 : (index / (values.length - 1)) * width),
          y: round(height - margin - (value / most) * (height - 2 * margin)),
        },
  );
  const runs = runsOf(points);
  return {
    line: runs.map((run) => (run.length === 1 ? `${pathOf(run)}h0` : pathOf(run))).join(""),
    area: runs
      .filter((run) => run.length > 1)
      .map((run) => `${pathOf(run)}V${height}H${run[0]?.x ?? 0}Z`)
      .join(""),
  };
}

/** Points that follow each other. */
function runsOf(points: readonly (Point | undefined)[]): Point[][] {
  const runs: Point[][] = [];
  points.forEach((point, index) => {
    if (point === undefined) return;
    if (index > 0 && points[index - 1] !== undefined) runs.at(-1)?.push(point);
    else runs.push([point]);
  });
  return runs;
}

function pathOf(run: readonly Point[]): string {
  return run.map(({ x, y }, index) => `${index === 0 ? "M" : "L"}${x} ${y}`).join("");
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
