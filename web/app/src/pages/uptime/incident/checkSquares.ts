import type { Check } from "../../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";

type Made = Pick<Check, "scheduledAt" | "probeRegion" | "status" | "error">;

/** One or several slots of a region. `unknown` was not checked. */
export type Square = {
  readonly fromMs: number;
  readonly state: "up" | "degraded" | "down" | "unknown";
  readonly error: string | undefined;
};

export type SquareRow = { readonly region: string; readonly squares: readonly Square[] };

export type Squares = {
  readonly rows: readonly SquareRow[];
  /** How long a square is, ms; a whole number of intervals. */
  readonly stepMs: number;
  readonly fromMs: number;
  readonly untilMs: number;
};

/** More do not fit beside each other. */
const mostSquares = 60;

const worst = ["down", "degraded", "up"] as const;

/** A row of squares for each region. If there are too many slots, a square has several and the worst of their states. */
export function squaresOf(
  checks: readonly Made[],
  regions: readonly string[],
  intervalMs: number,
): Squares | undefined {
  const dues = checks.map(({ scheduledAt }) => Date.parse(scheduledAt));
  if (dues.length === 0) return undefined;
  const fromMs = Math.min(...dues);
  const slots = Math.round((Math.max(...dues) - fromMs) / intervalMs) + 1;
  const stepMs = intervalMs * Math.ceil(slots / mostSquares);
  const count = Math.ceil((slots * intervalMs) / stepMs);
  const names = [...new Set([...regions, ...checks.map(({ probeRegion }) => probeRegion)])].toSorted();
  const rows = names.map((region) => {
    const own = Map.groupBy(
      checks.filter(({ probeRegion }) => probeRegion === region),
      ({ scheduledAt }) => Math.floor((Date.parse(scheduledAt) - fromMs + intervalMs / 2) / stepMs),
    );
    return {
      region,
      squares: Array.from({ length: count }, (_, index) => squareOf(own.get(index) ?? [], fromMs + index * stepMs)),
    };
  });
  return { rows, stepMs, fromMs, untilMs: fromMs + slots * intervalMs };
}

function squareOf(made: readonly Made[], fromMs: number): Square {
  const state = worst.find((name) => made.some(({ status }) => status === name));
  if (state === undefined) return { fromMs, state: "unknown", error: undefined };
  return { fromMs, state, error: made.find(({ status }) => status === state)?.error };
}
