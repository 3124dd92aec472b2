/**
 * `npm run bench:smoke [-- names]`: a smoke run of each bench, one after the other on one stack: are its answers right? A line for each on
 * standard output; exit code 1 if one failed. `.ci/run` counts the lines.
 */
import { within } from "../src/concurrency/within.ts";
import { reportOf } from "../test/kit/bench/benchReport.ts";
import { ownStacks, type Stacks, sharedStack } from "../test/kit/stack/benchStacks.ts";
import { quickStart } from "../test/kit/stack/quickStart.ts";
import { benches } from "./list.ts";

/** Far more than any needs on a busy machine; a smoke run that hangs must not keep the others from running. */
const giveUpAfterMs = 120_000;

const names = process.argv.slice(2);
const wanted = benches.filter(({ bench }) => names.length === 0 || names.includes(bench.name));
await ownStacks.use({ env: quickStart }, async (stack) => {
  const stacks = sharedStack(stack, quickStart);
  for (const { bench, notInSmoke } of wanted) {
    if (notInSmoke !== undefined && names.length === 0) {
      console.log(`smoke ${bench.name}: skipped: ${notInSmoke}`);
      continue;
    }
    const began = performance.now();
    const outcome = await outcomeOf(bench, stacks);
    if (outcome.startsWith("failed")) process.exitCode = 1;
    console.log(`smoke ${bench.name}: ${outcome} (${Math.round((performance.now() - began) / 1_000)} s)`);
  }
});
// A run that was given up may still hold something open.
process.exit();

/** "passed", "skipped: why" or "failed: why", in one line. */
async function outcomeOf(bench: (typeof benches)[number]["bench"], stacks: Stacks): Promise<string> {
  try {
    const report = await within(giveUpAfterMs, reportOf(bench, { isSmoke: true, args: [], stacks }));
    if (report.skipped !== undefined) return `skipped: ${report.skipped}`;
    return report.problems.length === 0 ? "passed" : `failed: ${oneLine(report.problems.slice(0, 3).join("; "))}`;
  } catch (error) {
    return `failed: ${oneLine(String(error))}`;
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").slice(0, 600);
}
