/**
 * `node bench/ingest/faults.ts [rounds] [seed]`: kill -9 of the API, of QuestDB and of both under load, on a stack of its own. JSON out;
 * exit code 1 when in any round the events stored are not those acknowledged, each once.
 */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../../src/config.ts";
import { startStack } from "../../stack/stack.ts";
import { faults, runFaultRounds } from "./faultRounds.ts";
import { seededRandom } from "./seededRandom.ts";

const rounds = Number(process.argv[2] ?? 20);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000);
const dataDir = await mkdtemp(join(tmpdir(), "lookout-faults-"));
// PostgreSQL may run as another user, who has to pass.
await chmod(dataDir, 0o711);
const config = readConfig({ ...process.env, DATA_DIR: dataDir, PORT: "0", BASE_URL: undefined, LOG_LEVEL: "warn" });
const stack = await startStack({
  config,
  log: (line) => console.error(line),
  parts: ["questdb", "postgres", "api"],
  preferUsualPorts: false,
});
try {
  const wanted = Array.from({ length: rounds }, (_, round) => faults[round % faults.length] ?? "api");
  const results = await runFaultRounds(stack, wanted, seededRandom(seed), (result) =>
    console.error(JSON.stringify(result)),
  );
  const passed = results.filter((result) => result.passed).length;
  console.log(JSON.stringify({ benchmark: "faults", seed, rounds, passed, results }, null, 2));
  if (passed < rounds) process.exitCode = 1;
} finally {
  await stack.stop();
  await rm(dataDir, { recursive: true, force: true });
}
