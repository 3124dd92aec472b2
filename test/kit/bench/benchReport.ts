import { cpus, loadavg } from "node:os";
import { round } from "../load/figures.ts";
import { type Bench, type BenchRun, BenchSkipped, type Measured } from "./bench.ts";

/** What a bench prints on standard output. docs/develop/working.md describes it. */
export type BenchReport = {
  readonly benchmark: string;
  readonly machine: { readonly node: string; readonly cores: number; readonly loadBefore: number };
  readonly isSmoke: boolean;
  /** Why it did not run; it has neither figures nor problems then. */
  readonly skipped?: string;
} & Measured;

/** Runs a bench. Rejects only when it could not be carried through. */
export async function reportOf({ name, measure }: Bench, run: BenchRun): Promise<BenchReport> {
  const machine = { node: process.version, cores: cpus().length, loadBefore: round(loadavg()[0] ?? 0, 1) };
  const about = { benchmark: name, machine, isSmoke: run.isSmoke };
  try {
    return { ...about, ...(await measure(run)) };
  } catch (error) {
    if (!(error instanceof BenchSkipped)) throw error;
    return { ...about, skipped: error.message, settings: {}, figures: {}, problems: [], details: null };
  }
}
