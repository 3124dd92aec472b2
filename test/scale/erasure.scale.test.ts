import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { Admin, ConfigResourceTypes, IncrementalAlterConfigOperationTypes } from "@platformatic/kafka";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { type Config, readConfig } from "../../src/config.ts";
import { clientOptions, topicOf } from "../../src/scale/kafka/kafkaClient.ts";
import type { TableName } from "../../src/store/questdb/tables.ts";
import { send } from "../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { signalFamily } from "../kit/faults/freeze.ts";
import { rowsInReplicas } from "../kit/scale/replicaRows.ts";
import { type ScaleFixture, startScaleFixture } from "../kit/scale/scaleFixture.ts";
import { makeNamespace } from "../kit/stack/workerProcess.ts";
import { inDatabase } from "../kit/stores/inDatabase.ts";
import { noonDaysAgo } from "../kit/stores/noonDaysAgo.ts";
import { readArchive } from "../kit/stores/readArchive.ts";

const waiting = { timeout: 150_000, interval: 500 };
const run = promisify(execFile);

let fixture: ScaleFixture;
let namespace: Awaited<ReturnType<typeof makeNamespace>>;

beforeAll(async () => {
  namespace = await makeNamespace(inject("lookout").temporalAddress);
  fixture = await startScaleFixture({ TEMPORAL_NAMESPACE: namespace.namespace }, { apis: 1, workers: 1 });
}, 400_000);

afterAll(async () => {
  await fixture?.remove();
  await namespace?.remove();
}, 120_000);

function apiConfig(): Config {
  const [api] = fixture.stack.apis;
  if (api === undefined) throw new Error("no API runs");
  return api;
}

const newWebsite = () => createWebsite({ databaseUrl: apiConfig().postgres.url });
const rowsOf = (table: TableName, { websiteId }: TestWebsite) =>
  rowsInReplicas(apiConfig().questdb, fixture.stack.replicas, table, `website_id = '${websiteId}'`);

function call(verb: string, path: string, { apiKey }: TestWebsite, body?: object) {
  return send(verb, path, { apiKey, baseUrl: apiConfig().server.baseUrl, ...(body === undefined ? {} : { body }) });
}

/** Sends one event by itself, which the brokers keep as readable text, and returns its id once it is acknowledged. */
async function sendView({ websiteId }: TestWebsite, timestamp: number, text: string): Promise<string> {
  const eventId = randomUUID();
  const body = {
    name: "page_view",
    eventId,
    timestamp,
    anonymousId: `${text}-visitor`,
    sessionId: `${text}-session-${timestamp}`,
    path: `/${text}/page`,
    title: text,
    utm_campaign: text,
  };
  const answer = await send("POST", `/?website_id=${websiteId}`, { body, baseUrl: apiConfig().server.baseUrl });
  expect(answer.body).toMatchObject({ status: "success" });
  return eventId;
}

/** Waits until both replicas have the same rows of a table, this many. */
async function expectSame(table: TableName, website: TestWebsite, count: number): Promise<void> {
  await vi.waitFor(async () => {
    const [a = [], b] = await rowsOf(table, website);
    expect(a).toHaveLength(count);
    expect(b).toEqual(a);
  }, waiting);
}

/** Page views of the last 30 days that the API answers. */
async function viewsOf(website: TestWebsite): Promise<number> {
  const body = { preset: "last_30d", parameters: ["summary_metrics"] };
  const answer = await call("POST", `/v1/query?website_id=${website.websiteId}`, website, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const { data } = answer.body as { data: { error: string | null; data: { pageviews: number }[] }[] };
  expect(data[0]?.error).toBeNull();
  return Number(data[0]?.data[0]?.pageviews ?? 0);
}

/** Files below the data of the parts of the installation that hold a text. */
async function filesWith(text: string, parts: (name: string) => boolean): Promise<string[]> {
  const below = (await readdir(fixture.dataDir)).filter(parts).map((name) => join(fixture.dataDir, name));
  const { stdout } = await run("grep", ["-rlaF", text, ...below], { maxBuffer: 10_000_000 }).catch((error) => error);
  return String(stdout).split("\n").filter(Boolean);
}

const ofBrokers = (name: string) => name === "kafka";

test("8: an export has every acknowledged row, and sessions, daily records and retention are the same on both replicas", async () => {
  const website = await newWebsite();
  const days = [40, 5, 4, 0];
  const ids: string[] = [];
  for (const age of days) ids.push(await sendView(website, age === 0 ? Date.now() : noonDaysAgo(age), `kept${age}`));
  await expectSame("events", website, 4);
  await namespace.client.schedule.getHandle("correction").trigger();
  await expectSame("sessions", website, 4);
  await expectSame("daily_aggregates", website, 3);

  const range = { start_date: dayOf(noonDaysAgo(41)), end_date: dayOf(Date.now()) };
  const path = `/v1/websites/${website.websiteId}/export`;
  const started = await call("POST", path, website, { ...range, format: "json", data_types: ["events"] });
  const { export_id: id } = started.body as { export_id: string };
  const download = await vi.waitFor(async () => {
    const { body } = await call("GET", `/v1/exports/${id}`, website);
    expect(body).toMatchObject({ status: "completed", rows_done: 4 });
    return (body as { download_url: string }).download_url;
  }, waiting);
  const answer = await fetch(download);
  expect(answer.status).toBe(200);
  const archive = readArchive(Buffer.from(await answer.arrayBuffer()));
  const exported = [...archive.values()].join("\n").matchAll(/"event_?id": ?"([^"]+)"/gi);
  expect([...exported].map(([, eventId]) => eventId).sort()).toEqual([...ids].sort());

  await inDatabase(
    (database) => database.query("UPDATE websites SET raw_events_days = 30 WHERE id = $1", [website.websiteId]),
    apiConfig().postgres.url,
  );
  await namespace.client.schedule.getHandle("retention").trigger();
  await expectSame("events", website, 3);
  await expectSame("sessions", website, 3);
  await expectSame("daily_aggregates", website, 3);
}, 500_000);

test("4.17: an erasure while the consumer of replica b hangs leaves the same rows on both, also once that was killed", async () => {
  const { stack } = fixture;
  const [website, other] = [await newWebsite(), await newWebsite()];
  for (const age of [6, 4, 2]) await sendView(website, noonDaysAgo(age), "hanging");
  await expectSame("events", website, 3);
  await namespace.client.schedule.getHandle("correction").trigger();
  await expectSame("sessions", website, 3);
  await expectSame("daily_aggregates", website, 3);

  const ids = stack.processIds("consumer-s1-b");
  for (const pid of ids) signalFamily(pid, "SIGSTOP");
  const day = dayOf(noonDaysAgo(4));
  const request = { start_date: day, end_date: day, data_types: ["events"] };
  const started = await call("DELETE", `/v1/websites/${website.websiteId}/data`, website, request);
  const { deletion_id: id } = started.body as { deletion_id: string };
  // It is computed again by now what the other replica has.
  await vi.waitFor(async () => {
    const [a = []] = await rowsOf("sessions", website);
    expect(a.filter((row) => row.includes('"last_activity_ms":null'))).toHaveLength(1);
  }, waiting);
  await pause(2 * lagLimitMs);
  for (const pid of ids) signalFamily(pid, "SIGCONT");
  await vi.waitFor(async () => {
    const { body } = await call("GET", `/v1/deletions/${id}`, website);
    expect(body).toMatchObject({
      status: "completed",
    });
  }, waiting);
  await stack.kill("consumer-s1-b");
  await stack.restart("consumer-s1-b");
  // What the log had before is stored by then.
  await sendView(other, Date.now(), "other");
  await expectSame("events", other, 1);
  await expectSame("events", website, 2);
  await expectSame("sessions", website, 2);
  await expectSame("daily_aggregates", website, 2);
  const [a, b] = await rowsOf("daily_figures", website);
  expect(b).toEqual(a);
}, 500_000);

test("4.17: an erasure while replica b is down: the receipt names it and the log, and afterwards no answer and no file has the rows", async () => {
  const { stack } = fixture;
  const [erased, other] = [await newWebsite(), await newWebsite()];
  const marker = `Mk${randomUUID().slice(0, 8)}`;
  const ages = [5, 4, 3];
  for (const age of ages) await sendView(erased, noonDaysAgo(age), marker);
  for (const age of ages) await sendView(other, noonDaysAgo(age), "other");
  await expectSame("events", erased, 3);
  await namespace.client.schedule.getHandle("correction").trigger();
  await expectSame("sessions", erased, 3);
  await expectSame("daily_aggregates", erased, 3);
  expect(await filesWith(marker, ofBrokers)).not.toEqual([]);
  const notOfBrokers = (name: string) => !ofBrokers(name);
  const holding = (await filesWith(marker, notOfBrokers)).join("\n");
  expect(holding).toContain("questdb-s1-a");
  expect(holding).toContain("questdb-s1-b");

  await stack.kill("questdb-s1-b");
  // Rows wait for b: an erasure does not.
  await sendView(other, Date.now(), "other");
  const request = { start_date: dayOf(noonDaysAgo(5)), end_date: dayOf(noonDaysAgo(3)), data_types: everyType };
  const started = await call("DELETE", `/v1/websites/${erased.websiteId}/data`, erased, request);
  expect(started.body).toMatchObject({ success: true, deleted: { events: 3 } });
  const { deletion_id: id } = started.body as { deletion_id: string };
  const receipt = async () => {
    const { body } = await call("GET", `/v1/deletions/${id}`, erased);
    return (body as { receipt: Receipt | null }).receipt;
  };
  const first = await vi.waitFor(
    async () => {
      const found = await receipt();
      if (found === null) throw new Error("the erasure is not done");
      return found;
    },
    { timeout: 280_000, interval: 500 },
  );
  const away = { place: "s1/b", last_seen_at: expect.any(String) };
  expect(first.replicas_away).toEqual([away]);
  const horizonMs = Date.parse(first.log_expires_at) - Date.parse(first.gone_at);
  expect(horizonMs).toBe(apiConfig().kafka.retentionMs + 16 * 60_000);
  expect([await viewsOf(erased), await viewsOf(other)]).toEqual([0, 4]);

  await stack.restart("questdb-s1-b");
  // No answer shows a row, from whichever replica it comes.
  await vi.waitFor(
    async () => {
      expect(await viewsOf(erased)).toBe(0);
      expect((await receipt())?.replicas_away).toEqual([{ ...away, erased_at: expect.any(String) }]);
    },
    { timeout: 250_000, interval: 250 },
  );
  await expectSame("events", other, 4);
  const [a = [], b] = await rowsOf("events", erased);
  expect([a, b]).toEqual([[], []]);
  await vi.waitFor(async () => expect(await filesWith(marker, notOfBrokers)).toEqual([]), waiting);

  // Alone, the replica that was away answers without the rows.
  await stack.kill("questdb-s1-a");
  await vi.waitFor(async () => expect([await viewsOf(erased), await viewsOf(other)]).toEqual([0, 4]), waiting);
  await stack.restart("questdb-s1-a");

  // As if LOG_RETENTION_MS had passed.
  await keepRowsFor(1_000);
  await vi.waitFor(async () => expect(await filesWith(marker, ofBrokers)).toEqual([]), waiting);
}, 900_000);

test("a topic whose retention was raised by hand gets that of LOG_RETENTION_MS again when a process starts", async () => {
  await keepRowsFor(40 * 86_400_000);
  await fixture.stack.restart("api-1");
  await vi.waitFor(async () => expect(await keptMs()).toBe(apiConfig().kafka.retentionMs), waiting);
}, 200_000);

type Receipt = {
  readonly gone_at: string;
  readonly log_expires_at: string;
  readonly replicas_away: readonly object[];
};

/** A replica that is further behind is not waited for (writeThroughLog.ts). */
const lagLimitMs = 10_000;

const everyType = ["events", "sessions", "performance", "aggregated"];

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Sets on the topic how long the brokers keep rows and files. */
function keepRowsFor(retentionMs: number): Promise<void> {
  const names = ["retention.ms", "segment.ms", "file.delete.delay.ms"];
  const configOperation = IncrementalAlterConfigOperationTypes.SET;
  const configs = names.map((name) => ({ name, value: String(retentionMs), configOperation }));
  return withAdmin((admin, topic) => admin.incrementalAlterConfigs({ resources: [{ ...topic, configs }] }));
}

/** How long the brokers keep rows. */
function keptMs(): Promise<number> {
  return withAdmin(async (admin, topic) => {
    const [found] = await admin.describeConfigs({ resources: [{ ...topic, configurationKeys: ["retention.ms"] }] });
    return Number(found?.configs[0]?.value);
  });
}

type TopicName = { readonly resourceType: 2; readonly resourceName: string };

async function withAdmin<T>(work: (admin: Admin, topic: TopicName) => Promise<T>): Promise<T> {
  const { kafka } = readConfig(fixture.stack.env);
  const admin = new Admin(clientOptions(kafka, "test"));
  try {
    return await work(admin, { resourceType: ConfigResourceTypes.TOPIC, resourceName: topicOf(kafka, "s1") });
  } finally {
    await admin.close();
  }
}
