/**
 * `node bench/ingest/faults.ts [rounds] [seed]`: kill -9, SIGSTOP, a full or read-only disk, suspended tables and flipped bits under load, on a stack of its own. JSON out;
 * exit code 1 when in any round the events stored are not those acknowledged, each once,
 * except for rows whose bytes were destroyed and counted.
 */
import { faults, needsMount, runFaultRounds } from "../../test/kit/faults/ingestFaults.ts";
import { seededRandom } from "../../test/kit/random/seededRandom.ts";
import { startFaultStack } from "../../test/kit/stack/faultStack.ts";

const rounds = Number(process.argv[2] ?? 20);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000);
console.error(`seed ${seed}`);
const { stack, disk, remove } = await startFaultStack((line) => console.error(line));
try {
  const possible = faults.filter((fault) => disk !== undefined || !needsMount.has(fault));
  if (disk === undefined) console.error("no full and no read-only disk: this user may not mount a file system");
  const wanted = Array.from({ length: rounds }, (_, round) => possible[round % possible.length] ?? "api");
  const results = await runFaultRounds(stack, disk, wanted, seededRandom(seed), (result) =>
    console.error(JSON.stringify(result)),
  );
  const passed = results.filter((result) => result.passed).length;
  console.log(JSON.stringify({ benchmark: "faults", seed, rounds, passed, results }, null, 2));
  if (passed < rounds) process.exitCode = 1;
} finally {
  await remove();
}
