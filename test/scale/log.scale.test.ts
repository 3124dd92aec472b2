import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { executeStatement } from "../../src/store/questdb/executeStatement.ts";
import { logPositionsTable } from "../../src/store/questdb/tables.ts";
import type { Replica } from "../../stack/scale/scaleStack.ts";
import { createWebsite } from "../kit/calls/website.ts";
import { flipBits } from "../kit/faults/flipBits.ts";
import { type DoubledLoad, sendDoubled, startDoubledLoad } from "../kit/scale/doubledLoad.ts";
import { settledReplicas } from "../kit/scale/replicaRows.ts";
import { type ScaleFixture, startScaleFixture } from "../kit/scale/scaleFixture.ts";
import { whenInSync } from "../kit/scale/whenInSync.ts";

let fixture: ScaleFixture;
/** Of all tests so far: they share a website. */
const acknowledged = new Set<string>();

beforeAll(async () => {
  fixture = await startScaleFixture({ QDB_DEV_MODE_ENABLED: "true" });
}, 300_000);

afterAll(async () => fixture?.remove(), 120_000);

const urls = (websiteId = fixture.owner.websiteId) =>
  fixture.stack.apis.map(({ server }) => `http://127.0.0.1:${server.port}/batch?client_id=${websiteId}`);

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

test.each(["broker-1", "consumer-s1-a", "questdb-s1-b", "api-1"])(
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

test("an API machine that is lost with its disk while QuestDB is stopped takes no acknowledged event along", async () => {
  const { stack } = fixture;
  await expectExact(async () => {
    await Promise.all([stack.kill("questdb-s1-a"), stack.kill("questdb-s1-b")]);
    await pause(4_000);
    await stack.kill("api-2");
    await stack.loseDisk("api-2");
    await pause(2_000);
    await Promise.all([stack.restart("questdb-s1-a"), stack.restart("questdb-s1-b")]);
  });
  await stack.restart("api-2");
}, 400_000);

test("a broker that loses its disk gets the rows back, and another one may fail then", async () => {
  const { stack } = fixture;
  await expectExact(async () => {
    await stack.kill("broker-2");
    await stack.loseDisk("broker-2");
    await pause(3_000);
    await stack.restart("broker-2");
    await pause(15_000);
    await stack.kill("broker-3");
    await pause(8_000);
    await stack.restart("broker-3");
  });
}, 400_000);

test("a replica that loses its disk is filled again from the log, equal to the other one", async () => {
  const { stack } = fixture;
  await expectExact(async () => {
    await stack.kill("questdb-s1-b");
    await stack.loseDisk("questdb-s1-b");
    await pause(2_000);
    await stack.restart("questdb-s1-b");
  });
}, 400_000);

test("a consumer that loses its ids reads them from the log again", async () => {
  const { stack } = fixture;
  await expectExact(async () => {
    await stack.kill("consumer-s1-a");
    await stack.loseDisk("consumer-s1-a");
    await stack.restart("consumer-s1-a");
  });
}, 400_000);

test("a consumer starts though QuestDB has suspended the table of its position", async () => {
  const { stack } = fixture;
  const [, { http }] = stack.replicas as readonly [Replica, Replica];
  await expectExact(async () => {
    await executeStatement(http, `ALTER TABLE ${logPositionsTable} SUSPEND WAL`, 10_000);
    await pause(3_000);
    await stack.kill("consumer-s1-b");
    await stack.restart("consumer-s1-b");
  });
}, 400_000);

test("messages that are damaged on the disk of one broker are read from another one", async () => {
  const { stack } = fixture;
  const [first] = stack.apis;
  if (first === undefined) throw new Error("no API runs");
  const { questdb, postgres } = first;
  // Several, so that each partition has rows, whichever broker leads it.
  const websites = await Promise.all(Array.from({ length: 18 }, () => createWebsite({ databaseUrl: postgres.url })));
  const ids = websites.map(() => Array.from({ length: 100 }, () => randomUUID()));
  await Promise.all(websites.map(({ websiteId }, index) => sendDoubled(urls(websiteId), ids[index] ?? [], Date.now())));
  await pause(3_000);
  await stack.kill("broker-3");
  const disk = stack.diskOf("broker-3");
  await flipBits(
    disk,
    () => 0.4,
    (paths) => paths.filter((path) => path.includes(".rows.")),
  );
  // As if it had ended in order: otherwise it compares the checksums of what it has written last.
  await writeFile(join(disk, "data", ".kafka_cleanshutdown"), '{"version":0,"brokerEpoch":-1}');
  await stack.restart("broker-3");
  await whenInSync(stack);
  // What the others lead comes to it while they are away.
  for (const other of ["broker-1", "broker-2"]) {
    await stack.kill(other);
    await pause(10_000);
    const consumer = other === "broker-1" ? "consumer-s1-a" : "consumer-s1-b";
    await stack.kill(consumer);
    await stack.loseDisk(consumer);
    await stack.restart(consumer);
    await pause(10_000);
    await stack.restart(other);
    await whenInSync(stack);
  }
  for (const [index, { websiteId }] of websites.entries()) {
    const sent = ids[index] ?? [];
    const [a, b] = await settledReplicas(questdb, stack.replicas, websiteId, sent.length);
    expect(a).toMatchObject({ rows: sent.length, distinct: sent.length });
    expect(b).toEqual(a);
  }
}, 400_000);

test("while two of three brokers are down events are kept on the machine and forwarded later", async () => {
  const { stack } = fixture;
  await expectExact(async (load) => {
    await Promise.all([stack.kill("broker-1"), stack.kill("broker-2")]);
    await pause(15_000);
    const before = load.acknowledged.size;
    await pause(5_000);
    expect(load.acknowledged.size).toBeGreaterThan(before);
    await Promise.all([stack.restart("broker-1"), stack.restart("broker-2")]);
    await pause(5_000);
  });
}, 400_000);
