import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { seededRandom } from "../../bench/ingest/seededRandom.ts";
import { type Fault, runFaultRounds } from "../../bench/uptime/faultRounds.ts";
import { startUptimeStack, type UptimeStack } from "../../bench/uptime/uptimeStack.ts";
import { type SwitchTarget, startSwitchTarget } from "./switchTarget.ts";

let own: UptimeStack;
let target: SwitchTarget;
beforeAll(async () => {
  target = await startSwitchTarget();
  own = await startUptimeStack({ CACHE_DIR: inject("lookout").cacheDir });
}, 180_000);
afterAll(async () => {
  await own?.stop();
  await target?.close();
});

test("3: under kill -9 of the worker and of all at once no monitor is lost, no slot stored twice, and gaps are unknown", async () => {
  const rounds: Fault[] = ["worker", "all"];
  const seed = Date.now() % 1_000_000;
  const targetPort = Number(new URL(target.url).port);
  const results = await runFaultRounds(own, { faults: rounds, monitors: 20, targetPort }, seededRandom(seed));
  expect(results, `seed ${seed}`).toMatchObject(rounds.map((fault) => ({ fault, passed: true })));
}, 600_000);
