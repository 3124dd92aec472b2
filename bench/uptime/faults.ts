/**
 * `npm run bench:uptime-faults [-- rounds [seed]]`: kill -9 of the worker, the API, QuestDB, Temporal and of all at once under 50 monitors that
 * are due every 20 s, on a stack of its own. JSON; exit code 1 when a monitor is lost, a slot stored twice, a schedule not back with its
 * next slot, or a gap not answered as unknown.
 */
import { fileURLToPath } from "node:url";
import type { Bench, BenchRun } from "../../test/kit/bench/bench.ts";
import { measuredRounds, roundsOf } from "../../test/kit/bench/faultRounds.ts";
import { runAsScript } from "../../test/kit/bench/runAsScript.ts";
import { type Fault, faults, type RoundResult, runFaultRounds } from "../../test/kit/faults/uptimeFaults.ts";
import { endProcess, forkPinned, messageOf } from "../../test/kit/load/pinnedProcess.ts";
import { seededRandom } from "../../test/kit/random/seededRandom.ts";
import { startMonitors } from "../../test/kit/stores/startMonitors.ts";

/** A fault lasts at least as long: Temporal has then timed out the workflow tasks of a killed worker. */
const intervalMs = 20_000;

export const bench: Bench = { name: "uptime-faults", measure };

async function measure(run: BenchRun) {
  const { rounds, seed } = roundsOf(run, 10);
  const target = forkPinned(fileURLToPath(new URL("targetProcess.ts", import.meta.url)), {});
  try {
    const { port } = await messageOf<{ port: number }>(target);
    return await run.stacks.use({}, async (stack) => {
      const wanted = Array.from({ length: rounds }, (_, round): Fault => faults[round % faults.length] ?? "worker");
      const given = Array.from({ length: run.isSmoke ? 10 : 50 }, (_, index) => ({
        url: `http://127.0.0.1:${port}/${index}`,
        intervalMs,
        timeoutMs: 2_000,
      }));
      const monitors = await startMonitors(stack, stack.owner, given);
      const report = (result: RoundResult) => console.error(JSON.stringify(result));
      // How soon a schedule is back is a matter of the machine, which a smoke run does not measure.
      const plan = { faults: wanted, monitors, intervalMs, mayBeLate: run.isSmoke };
      const results = await runFaultRounds(stack, stack.owner, plan, seededRandom(seed), report);
      return measuredRounds({ rounds, seed, monitors: given.length, intervalMs }, results);
    });
  } finally {
    await endProcess(target);
  }
}

if (import.meta.main) await runAsScript(bench);
