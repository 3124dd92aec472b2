import type { Stacks } from "../stack/benchStacks.ts";

/** One number that a bench measures. */
export type Figure = {
  readonly value: number;
  /** Empty for a plain number. */
  readonly unit: string;
  readonly better: "higher" | "lower";
  /** A ratio compares with a baseline of the same run, so it can be compared between runs and machines. An absolute figure cannot. */
  readonly kind: "ratio" | "absolute";
  /** What the value is to reach. */
  readonly target?: number | undefined;
  readonly met?: boolean | undefined;
};

/** By name. A name stays the same from run to run: `npm run bench:all` compares figures by it. */
export type Figures = Readonly<Record<string, Figure>>;

export type Measured = {
  /** What the figures depend on: rounds, rows, rates. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly figures: Figures;
  /** Wrong answers, errors and lost rows, in words. A bench with any has failed. */
  readonly problems: readonly string[];
  /** Everything else that was found, in a form of the bench's own. */
  readonly details: unknown;
};

export type BenchRun = {
  /** Only checks that the answers are right, in a few seconds. The figures mean nothing. */
  readonly isSmoke: boolean;
  /** Of the command line, without `--smoke`. */
  readonly args: readonly string[];
  readonly stacks: Stacks;
};

export type Bench = {
  readonly name: string;
  /** Rejects with BenchSkipped where something that it needs is not there. */
  readonly measure: (run: BenchRun) => Promise<Measured>;
};

/** Why a bench cannot run on this machine. */
export class BenchSkipped extends Error {
  override name = "BenchSkipped";
}

/** A number compared with the baseline of the same run. */
export function ratio(value: number, better: Figure["better"], target?: number): Figure {
  return { value, unit: "", better, kind: "ratio", ...metOf(value, better, target) };
}

/** A number that depends on the machine. */
export function absolute(value: number, unit: string, better: Figure["better"], target?: number): Figure {
  return { value, unit, better, kind: "absolute", ...metOf(value, better, target) };
}

function metOf(value: number, better: Figure["better"], target: number | undefined) {
  if (target === undefined) return {};
  return { target, met: better === "higher" ? value >= target : value <= target };
}
