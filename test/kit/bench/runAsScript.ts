import { ownStacks } from "../stack/benchStacks.ts";
import type { Bench } from "./bench.ts";
import { reportOf } from "./benchReport.ts";

/** Runs a bench as the command line says, on stacks of its own, and prints its report. The exit code is 1 if an answer was wrong. */
export async function runAsScript(bench: Bench): Promise<void> {
  const given = process.argv.slice(2);
  const args = given.filter((each) => each !== "--smoke");
  const report = await reportOf(bench, { isSmoke: args.length < given.length, args, stacks: ownStacks });
  console.log(JSON.stringify(report, null, 2));
  if (report.skipped !== undefined) console.error(`skipped: ${report.skipped}`);
  for (const problem of report.problems) console.error(`wrong: ${problem}`);
  if (report.problems.length > 0) process.exitCode = 1;
}
