/**
 * `node bench/uptime/faults.ts [rounds] [seed]`: kill -9 of the worker, the API, QuestDB, Temporal and of all at once under monitors that are
 * due every 15 s, on a stack of its own. JSON out; exit code 1 when a monitor is lost, a slot stored twice, a schedule not back with its next
 * slot, or a gap not told as unknown.
 */
import { seededRandom } from "../ingest/seededRandom.ts";
import { type Fault, faults, runFaultRounds } from "./faultRounds.ts";
import { endScript, messageOf, startScript } from "./forked.ts";
import { startUptimeStack } from "./uptimeStack.ts";

const rounds = Number(process.argv[2] ?? 10);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000);
const target = startScript("targetProcess.ts");
try {
  const { port: targetPort } = await messageOf<{ port: number }>(target);
  const uptime = await startUptimeStack();
  try {
    const wanted = Array.from({ length: rounds }, (_, round): Fault => faults[round % faults.length] ?? "worker");
    const results = await runFaultRounds(
      uptime,
      { faults: wanted, monitors: 50, targetPort },
      seededRandom(seed),
      (result) => console.error(JSON.stringify(result)),
    );
    const passed = results.filter((result) => result.passed).length;
    console.log(JSON.stringify({ benchmark: "uptime faults", seed, rounds, passed, results }, null, 2));
    if (passed < rounds) process.exitCode = 1;
  } finally {
    await uptime.stop();
  }
} finally {
  await endScript(target);
}
