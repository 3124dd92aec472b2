import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { runFaultRounds } from "../kit/faults/ingestFaults.ts";
import type { Fault } from "../kit/faults/injectFault.ts";
import { seededRandom } from "../kit/random/seededRandom.ts";
import { type FaultStack, startFaultStack } from "../kit/stack/faultStack.ts";

let running: FaultStack;
beforeAll(async () => {
  running = await startFaultStack(() => undefined, { CACHE_DIR: inject("lookout").cacheDir });
});
afterAll(() => running.remove());

test("8: under kill -9 of the API, of PostgreSQL, of both, and with flipped bits in the log, acknowledged events are stored once", async () => {
  const rounds: Fault[] = ["api", "postgres", "both", "byte flipped"];
  const seed = Date.now() % 1_000_000;
  const results = await runFaultRounds(running.stack, running, rounds, seededRandom(seed));
  expect(results, `seed ${seed}`).toMatchObject(rounds.map((fault) => ({ fault, passed: true })));
  expect(results.at(-1)?.acknowledged).toBeGreaterThan(500);
}, 600_000);

test("8: a suspended table is resumed, and events acknowledged meanwhile are stored once", async () => {
  await expectRounds(["table suspended", "table suspended"]);
}, 600_000);

test("8: events acknowledged while the disk was full are stored once, and no process ends", async (context) => {
  if (running.disk === undefined) context.skip("this user may not mount a file system to fill");
  await expectRounds(["disk full and freed", "disk full and freed"]);
}, 600_000);

test.each(["questdb stopped", "postgres stopped", "temporal stopped"] as const)(
  "8: %s for 20 s (SIGSTOP): acknowledged events are stored once",
  async (fault) => expectRounds([fault]),
  240_000,
);

async function expectRounds(rounds: readonly Fault[]): Promise<void> {
  const seed = Date.now() % 1_000_000;
  const results = await runFaultRounds(running.stack, running, rounds, seededRandom(seed));
  expect(results, `seed ${seed}`).toMatchObject(rounds.map((fault) => ({ fault, passed: true })));
}
