/**
 * `npm run bench:all [-- gateway auth --runs 3 --wait-minutes 10]`: runs the benches one after the other, each on an idle machine, and compares
 * their figures with the committed ones. Medians and ranges go to bench/figures.json; benches that did not run keep theirs.
 *
 * Before each run it waits until the load of the last minute is below 0.5, and goes on after `--wait-minutes`, saying so. `--smoke` tries
 * all of this in a few seconds for each bench and writes nothing.
 */
import { execFileSync, spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { loadavg } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Figures } from "../test/kit/bench/bench.ts";
import type { BenchReport } from "../test/kit/bench/benchReport.ts";
import { type KeptFigures, spreadOf, tableOf } from "./figureTable.ts";
import { benches } from "./list.ts";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: "string", default: "3" },
    "wait-minutes": { type: "string", default: "10" },
    smoke: { type: "boolean", default: false },
  },
});
const unknown = positionals.filter((name) => !benches.some(({ bench }) => bench.name === name));
const known = benches.map(({ bench }) => bench.name).join(", ");
if (unknown.length > 0) throw new Error(`There is no bench named ${unknown.join(" or ")}; there are ${known}.`);
const runs = Number(options.runs);
const waitMs = Number(options["wait-minutes"]) * 60_000;
if (!(Number.isInteger(runs) && runs > 0)) throw new Error(`--runs must be a whole number from 1, not ${options.runs}`);
if (!(waitMs >= 0)) throw new Error(`--wait-minutes must be a number from 0, not ${options["wait-minutes"]}`);

const path = "bench/figures.json";
const mostLoad = 0.5;
/** Longer than the longest bench takes. */
const giveUpAfterMs = 3 * 3_600_000;

const committed = await committedFigures();
const kept: Record<string, KeptFigures[string]> = { ...(await keptFigures()) };
const measured: Record<string, KeptFigures[string]> = {};
const failed: string[] = [];
for (const { bench, file, runsOnce = false } of benches.filter(
  (each) => positionals.length === 0 || positionals.includes(each.bench.name),
)) {
  const found: Figures[] = [];
  const times = runsOnce ? 1 : runs;
  for (let run = 1; run <= times; run += 1) {
    if (!options.smoke) await untilIdle();
    console.error(`${bench.name}: run ${run} of ${times}`);
    const report = await runBench(file).catch((error: unknown) => String(error));
    if (typeof report === "string") failed.push(`${bench.name}, run ${run}: ${report}`);
    else if (report.skipped !== undefined) failed.push(`${bench.name} was skipped: ${report.skipped}`);
    else if (report.problems.length > 0) failed.push(`${bench.name}, run ${run}: ${report.problems.join("; ")}`);
    else found.push(report.figures);
  }
  if (found.length > 0) measured[bench.name] = spreadOf(found);
  // Written after each, so that what is measured stays when a later one is stopped.
  if (!options.smoke) await writeFile(path, `${JSON.stringify(Object.assign(kept, measured), null, 2)}\n`);
}
console.log(tableOf(measured, committed));
for (const text of failed) console.log(`failed: ${text}`);
if (failed.length > 0) process.exitCode = 1;

async function untilIdle(): Promise<void> {
  const sinceMs = performance.now();
  const load = () => loadavg()[0] ?? 0;
  if (load() >= mostLoad) console.error(`waiting until the load is below ${mostLoad}; it is ${load().toFixed(2)}`);
  while (load() >= mostLoad) {
    if (performance.now() - sinceMs >= waitMs) {
      console.error(
        `the load is still ${load().toFixed(2)} after ${options["wait-minutes"]} minutes; going on: ratios may suffer`,
      );
      return;
    }
    await pause(1_000);
  }
}

/** Rejects if the bench prints no report. */
async function runBench(file: string): Promise<BenchReport> {
  const args = [file, ...(options.smoke ? ["--smoke"] : [])];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"], timeout: giveUpAfterMs });
  let text = "";
  for await (const part of child.stdout) text += part;
  if (text === "") throw new Error("it ended without a report; its error is above");
  return JSON.parse(text);
}

async function keptFigures(): Promise<KeptFigures> {
  return JSON.parse(await readFile(path, "utf8").catch(() => "{}"));
}

async function committedFigures(): Promise<KeptFigures> {
  try {
    return JSON.parse(
      execFileSync("git", ["show", `HEAD:${path}`], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }),
    );
  } catch {
    // Not committed yet, or no checkout of git.
    return await keptFigures();
  }
}
