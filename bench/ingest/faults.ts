/**
 * `npm run bench:faults [-- rounds [seed]]`: kill -9, SIGSTOP, a full or read-only disk, suspended tables and flipped bits under load, on a stack
 * of its own. JSON; exit code 1 when in any round the events stored are not those acknowledged, each once,
 * except for rows whose bytes were destroyed and counted.
 */
import type { Bench, BenchRun } from "../../test/kit/bench/bench.ts";
import { measuredRounds, roundsOf } from "../../test/kit/bench/faultRounds.ts";
import { runAsScript } from "../../test/kit/bench/runAsScript.ts";
import { runFaultRounds } from "../../test/kit/faults/ingestFaults.ts";
import { faults, needsMount } from "../../test/kit/faults/injectFault.ts";
import { seededRandom } from "../../test/kit/random/seededRandom.ts";
import { startFaultStack } from "../../test/kit/stack/faultStack.ts";

export const bench: Bench = { name: "faults", measure };

async function measure(run: BenchRun) {
  const { rounds, seed } = roundsOf(run, 20);
  const { stack, disk, remove } = await startFaultStack((line) => console.error(line));
  try {
    const possible = faults.filter((fault) => disk !== undefined || !needsMount.has(fault));
    if (disk === undefined) console.error("no full and no read-only disk: this user may not mount a file system");
    const wanted = Array.from({ length: rounds }, (_, round) => possible[round % possible.length] ?? "api");
    const results = await runFaultRounds(stack, { disk }, wanted, seededRandom(seed), {
      onRound: (result) => console.error(JSON.stringify(result)),
    });
    const told = results.map((result) => ({
      ...result,
      problems: result.passed ? [] : [`what is stored is not what was acknowledged: ${JSON.stringify(result)}`],
    }));
    return measuredRounds({ rounds, seed, faults: possible }, told);
  } finally {
    await remove();
  }
}

if (import.meta.main) await runAsScript(bench);
