import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Admin } from "@platformatic/kafka";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { type Manifest, parseManifest } from "../../src/backup/manifest.ts";
import { readConfig } from "../../src/config.ts";
import { clientOptions, topicOf } from "../../src/scale/kafka/kafkaClient.ts";
import { QuestdbReader } from "../../src/store/questdb/questdbReader.ts";
import { tableNames } from "../../src/store/questdb/tables.ts";
import { send } from "../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { pageView } from "../kit/load/pageView.ts";
import { startDoubledLoad } from "../kit/scale/doubledLoad.ts";
import { settledReplicas } from "../kit/scale/replicaRows.ts";
import { runConsumer } from "../kit/scale/runConsumer.ts";
import { type ScaleFixture, startScaleFixture } from "../kit/scale/scaleFixture.ts";
import { type BucketServer, startBucketServer } from "../kit/servers/bucketServer.ts";
import { makeNamespace } from "../kit/stack/workerProcess.ts";
import { inDatabase } from "../kit/stores/inDatabase.ts";

const waiting = { timeout: 150_000, interval: 500 };
const place = "s3://snapshots/lookout";

let bucket: BucketServer;
let namespace: Awaited<ReturnType<typeof makeNamespace>>;
let fixture: ScaleFixture;
/** Its events are erased after the snapshot. */
let erased: TestWebsite;
const acknowledged = new Set<string>();

beforeAll(async () => {
  bucket = await startBucketServer("snapshots");
  namespace = await makeNamespace(inject("lookout").temporalAddress);
  fixture = await startScaleFixture({ TEMPORAL_NAMESPACE: namespace.namespace }, { apis: 1, workers: 1 });
  erased = await createWebsite({ databaseUrl: api().postgres.url });
}, 400_000);

afterAll(async () => {
  await fixture?.remove();
  await namespace?.remove();
  await bucket?.close();
}, 120_000);

function api() {
  const [first] = fixture.stack.apis;
  if (first === undefined) throw new Error("no API runs");
  return first;
}

/** A few seconds of events, each sent twice with two times. */
async function load(): Promise<void> {
  const url = `${api().server.baseUrl}/batch?client_id=${fixture.owner.websiteId}`;
  const senders = startDoubledLoad([url, url], 2);
  await pause(3_000);
  await senders.stop();
  for (const id of senders.acknowledged) acknowledged.add(id);
}

const settled = () =>
  settledReplicas(api().questdb, fixture.stack.replicas, fixture.owner.websiteId, acknowledged.size);

/** The command on the machine of a replica. A consumer without a place uses no bucket, so its settings would be refused. */
function store(replica: string, ...args: string[]) {
  const bucketEnv = { S3_ENDPOINT: bucket.endpoint, S3_ACCESS_KEY_ID: "key", S3_SECRET_ACCESS_KEY: "secret" };
  const env = {
    ...fixture.stack.env,
    QUESTDB_ROOT: join(fixture.dataDir, `questdb-s1-${replica}`, "questdb", "db"),
    ...(args.length === 0 ? {} : bucketEnv),
  };
  return runConsumer(env, ["--shard", "s1", "--replica", replica, ...args]);
}

/** What each replica has in each table: how many rows of a website, and the sum of their times. */
async function contentOf(websiteId: string): Promise<Record<string, string>[]> {
  return await Promise.all(
    fixture.stack.replicas.map(async ({ http, pg }) => {
      const reader = new QuestdbReader({ ...api().questdb, http, pg });
      try {
        const found: Record<string, string> = {};
        for (const table of tableNames) {
          const sums = `SELECT count() n, sum((ts::long / 1000) % 100000000) times FROM ${table}`;
          const [row] = await reader.read(`${sums} WHERE website_id = $1`, [websiteId]);
          found[table] = `${row?.["n"]} ${row?.["times"]}`;
        }
        return found;
      } finally {
        await reader.close();
      }
    }),
  );
}

function newestSnapshot(): Manifest {
  const [name = ""] = [...bucket.files.keys()]
    .filter((key) => /^lookout\/s1-a\/backups\//.test(key))
    .sort()
    .reverse();
  return parseManifest(String(bucket.files.get(name)), name);
}

/** As if the brokers had deleted what is older than LOG_RETENTION_MS. */
async function deleteLogBefore(offsets: Readonly<Record<string, string>>): Promise<void> {
  const { kafka } = readConfig(fixture.stack.env);
  const admin = new Admin({ ...clientOptions(kafka, "test"), retries: 3 });
  const partitions = Object.entries(offsets).map(([partition, offset]) => ({
    partition: Number(partition),
    offset: BigInt(offset),
  }));
  try {
    await admin.deleteRecords({ topics: [{ name: topicOf(kafka, "s1"), partitions }] });
  } finally {
    await admin.close();
  }
}

async function replicaB() {
  return await inDatabase(async (database) => {
    const { rows } = await database.query(
      `SELECT state, erased_until AS "erasedUntil" FROM store_replicas WHERE replica = 'b'`,
    );
    return rows[0];
  }, api().postgres.url);
}

async function eraseEvents(): Promise<string> {
  const { websiteId, apiKey } = erased;
  const body = {
    start_date: "2026-01-01",
    end_date: new Date().toISOString().slice(0, 10),
    data_types: ["events", "performance"],
  };
  const { baseUrl } = api().server;
  const started = await send("DELETE", `/v1/websites/${websiteId}/data`, { body, apiKey, baseUrl });
  expect(started.body, JSON.stringify(started.body)).toMatchObject({ success: true, deleted: { events: 7 } });
  return (started.body as { deletion_id: string }).deletion_id;
}

async function receiptOf(id: string): Promise<unknown> {
  const { baseUrl } = api().server;
  const answer = await send("GET", `/v1/deletions/${id}`, { apiKey: erased.apiKey, baseUrl });
  return (answer.body as { receipt: unknown }).receipt;
}

test("a replica that lost its disk is rebuilt from a snapshot of the other one and the log, without what was erased since", async () => {
  const { stack } = fixture;
  const { baseUrl } = api().server;
  const views = Array.from({ length: 7 }, (_, visitor) => pageView({ timestamp: Date.now(), visitor, loadTime: 9 }));
  const sent = await send("POST", `/batch?website_id=${erased.websiteId}`, { body: views, baseUrl });
  expect(sent.body).toMatchObject({ status: "success" });
  await load();
  await settled();
  await vi
    .waitFor(async () => {
      for (const found of await contentOf(erased.websiteId)) expect(found).toMatchObject({ events: /^7 / });
    }, waiting)
    .catch(() => undefined);

  const made = await store("a", "--snapshot-to", place);
  expect(made).toEqual({ code: 0, output: expect.stringContaining(`at ${place}/s1-a`) });
  console.log(made.output);
  await load();
  const deletion = await eraseEvents();
  await vi.waitFor(async () => expect(await receiptOf(deletion)).not.toBeNull(), { timeout: 280_000, interval: 1_000 });
  expect(await receiptOf(deletion)).toMatchObject({ backups_expire_at: expect.any(String) });
  await settled();
  const snapshot = newestSnapshot();
  await deleteLogBefore(snapshot.replica?.offsets ?? {});

  await Promise.all([stack.kill("questdb-s1-b"), stack.kill("consumer-s1-b")]);
  await Promise.all([stack.loseDisk("questdb-s1-b"), stack.loseDisk("consumer-s1-b")]);
  await stack.restart("questdb-s1-b");
  // What the log still has is not all that the replica had.
  const refused = await store("b");
  expect(refused).toEqual({ code: 2, output: expect.stringContaining("Rebuild it from a snapshot") });
  expect(await replicaB()).toMatchObject({ state: "rebuilding" });
  const running = await store("b", "--rebuild-from", place);
  expect(running).toEqual({ code: 2, output: expect.stringContaining("The QuestDB of s1/b runs.") });
  await stack.kill("questdb-s1-b");
  const filled = await store("b", "--rebuild-from", place);
  expect(filled).toEqual({ code: 2, output: expect.stringContaining("is not empty") });
  await stack.loseDisk("questdb-s1-b");

  const rebuilt = await store("b", "--rebuild-from", place);
  expect(rebuilt).toEqual({
    code: 0,
    output: expect.stringContaining(`s1/b has the files of snapshot ${snapshot.id}`),
  });
  console.log(rebuilt.output);
  await load();
  await stack.restart("questdb-s1-b");
  await stack.restart("consumer-s1-b");
  await vi.waitFor(async () => expect(await replicaB()).toEqual({ state: "serving", erasedUntil: null }), {
    timeout: 280_000,
    interval: 500,
  });
  const [a, b] = await settled();
  console.log(JSON.stringify({ acknowledged: acknowledged.size, a, b }));
  expect(a).toMatchObject({ rows: acknowledged.size, distinct: acknowledged.size });
  expect(b).toEqual(a);
  await vi.waitFor(async () => {
    for (const websiteId of [fixture.owner.websiteId, erased.websiteId]) {
      const [ofA, ofB] = await contentOf(websiteId);
      expect(ofB).toEqual(ofA);
    }
  }, waiting);
  for (const found of await contentOf(erased.websiteId))
    expect(found).toMatchObject({
      events: expect.stringMatching(/^0 /),
      performance_metrics: expect.stringMatching(/^0 /),
    });
  expect(await receiptOf(deletion)).toMatchObject({
    replicas_away: [{ place: "s1/b", last_seen_at: expect.any(String), erased_at: expect.any(String) }],
  });

  // Alone it answers what the other one has.
  await stack.kill("questdb-s1-a");
  const body = { preset: "today", parameters: ["summary_metrics"] };
  const { apiKey } = fixture.owner;
  const answer = await send("POST", `/v1/query?website_id=${fixture.owner.websiteId}`, { body, apiKey, baseUrl });
  expect(answer.body).toMatchObject({ data: [{ error: null, data: [{ pageviews: acknowledged.size }] }] });
  await stack.restart("questdb-s1-a");
}, 900_000);
