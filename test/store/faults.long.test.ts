import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type Fault, runFaultRounds } from "../../bench/ingest/faultRounds.ts";
import { seededRandom } from "../../bench/ingest/seededRandom.ts";
import { readConfig } from "../../src/config.ts";
import { type Stack, startStack } from "../../stack/stack.ts";

let dataDir: string;
let stack: Stack;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "lookout-faults-"));
  // PostgreSQL may run as another user, who has to pass.
  await chmod(dataDir, 0o711);
  const { cacheDir } = inject("lookout");
  const env = { DATA_DIR: dataDir, CACHE_DIR: cacheDir, PORT: "0", BASE_URL: undefined, LOG_LEVEL: "warn" };
  const config = readConfig({ ...process.env, ...env });
  const log = () => undefined;
  stack = await startStack({ config, log, parts: ["questdb", "postgres", "api"], preferUsualPorts: false });
});
afterAll(async () => {
  await stack.stop();
  await rm(dataDir, { recursive: true, force: true });
});

test("8: under kill -9 of the API, of PostgreSQL, of QuestDB and of both, what was acknowledged is stored once", async () => {
  const rounds: Fault[] = ["api", "postgres", "both", "api while questdb is away"];
  const seed = Date.now() % 1_000_000;
  const results = await runFaultRounds(stack, rounds, seededRandom(seed));
  expect(results, `seed ${seed}`).toMatchObject(rounds.map((fault) => ({ fault, passed: true })));
  expect(results.at(-1)?.acknowledged).toBeGreaterThan(500);
}, 240_000);
