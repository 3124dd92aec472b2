/**
 * `npm run bench:uptime-faults [-- rounds seed]`: kill -9 of the worker, the API, QuestDB, Temporal and of all at once under 50 monitors that
 * are due every 20 s, on a stack of its own. JSON out; exit code 1 when a monitor is lost, a slot stored twice, a schedule not back with its
 * next slot, or a gap not answered as unknown.
 */

import { type Fault, faults, type RoundResult, runFaultRounds } from "../../test/kit/faults/uptimeFaults.ts";
import { seededRandom } from "../../test/kit/random/seededRandom.ts";
import { ownerOf } from "../../test/kit/stack/owner.ts";
import { startUptimeStack } from "../../test/kit/stack/uptimeStack.ts";
import { startMonitors } from "../../test/kit/stores/startMonitors.ts";
import { endScript, messageOf, startScript } from "./forked.ts";

const rounds = Number(process.argv[2] ?? 10);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000);
/** A fault lasts at least as long: Temporal has then timed out the workflow tasks of a killed worker. */
const intervalMs = 20_000;
const target = startScript("targetProcess.ts");
try {
  const { port: targetPort } = await messageOf<{ port: number }>(target);
  const uptime = await startUptimeStack({ log: console.error });
  try {
    const wanted = Array.from({ length: rounds }, (_, round): Fault => faults[round % faults.length] ?? "worker");
    const given = Array.from({ length: 50 }, (_, index) => ({
      url: `http://127.0.0.1:${targetPort}/${index}`,
      intervalMs,
      timeoutMs: 2_000,
    }));
    const owner = await ownerOf(uptime.config);
    const monitors = await startMonitors(uptime, owner, given);
    const report = (result: RoundResult) => console.error(JSON.stringify(result));
    const plan = { faults: wanted, monitors, intervalMs };
    const results = await runFaultRounds(uptime, owner, plan, seededRandom(seed), report);
    const passed = results.filter(({ problems }) => problems.length === 0).length;
    console.log(JSON.stringify({ benchmark: "uptime faults", seed, rounds, passed, results }, null, 2));
    if (passed < rounds) process.exitCode = 1;
  } finally {
    await uptime.stop();
  }
} finally {
  await endScript(target);
}
