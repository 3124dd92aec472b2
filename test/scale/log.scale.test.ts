import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DoubledLoad, startDoubledLoad } from "../kit/scale/doubledLoad.ts";
import { settledReplicas } from "../kit/scale/replicaRows.ts";
import { type ScaleFixture, startScaleFixture } from "../kit/scale/scaleFixture.ts";

let fixture: ScaleFixture;
/** Of all tests so far: they share a website. */
const acknowledged = new Set<string>();

beforeAll(async () => {
  fixture = await startScaleFixture();
}, 300_000);

afterAll(async () => fixture?.remove(), 120_000);

const urls = () =>
  fixture.stack.apis.map(({ server }) => `${server.baseUrl}/batch?client_id=${fixture.owner.websiteId}`);

/** Runs `faults` under load, and expects that both replicas have each acknowledged event once. */
async function expectExact(faults: (load: DoubledLoad) => Promise<void>): Promise<void> {
  const { stack, owner } = fixture;
  const load = startDoubledLoad(urls(), 3);
  try {
    await pause(3_000);
    await faults(load);
    await pause(2_000);
  } finally {
    await load.stop();
  }
  for (const id of load.acknowledged) acknowledged.add(id);
  const [first] = stack.apis;
  if (first === undefined) throw new Error("no API runs");
  const [a, b] = await settledReplicas(first.questdb, stack.replicas, owner.websiteId, acknowledged.size);
  console.log(JSON.stringify({ acknowledged: acknowledged.size, a, failures: [...load.failures] }));
  expect(a).toMatchObject({ rows: acknowledged.size, distinct: acknowledged.size, metrics: acknowledged.size });
  expect(b).toEqual(a);
}

test("every event sent through two APIs with two times is stored once on both replicas", async () => {
  await expectExact(() => pause(3_000));
}, 300_000);

test.each(["broker-1", "store-s1-a", "questdb-s1-b", "api-1"])(
  "kill -9 of %s under load loses and doubles nothing",
  async (part) => {
    const { stack } = fixture;
    await expectExact(async () => {
      await stack.kill(part);
      await pause(6_000);
      await stack.restart(part);
    });
  },
  300_000,
);
