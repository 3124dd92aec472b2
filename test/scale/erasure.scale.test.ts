import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { Admin, ConfigResourceTypes, IncrementalAlterConfigOperationTypes } from "@platformatic/kafka";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { type Config, readConfig } from "../../src/config.ts";
import { clientOptions, topicOf } from "../../src/durableLog/kafka/kafkaClient.ts";
import type { TableName } from "../../src/store/questdb/tables.ts";
import { send } from "../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { rowsInReplicas } from "../kit/scale/replicaRows.ts";
import { type ScaleFixture, startScaleFixture } from "../kit/scale/scaleFixture.ts";
import { makeNamespace } from "../kit/stack/workerProcess.ts";
import { noonDaysAgo } from "../kit/stores/noonDaysAgo.ts";

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

type Receipt = {
  readonly gone_at: string;
  readonly log_expires_at: string;
  readonly replicas_away: readonly object[];
};

const everyType = ["events", "sessions", "performance", "aggregated"];

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Sets on the topic how long the brokers keep rows and files. */
async function keepRowsFor(retentionMs: number): Promise<void> {
  const { kafka } = readConfig(fixture.stack.env);
  const admin = new Admin(clientOptions(kafka, "test"));
  try {
    await admin.incrementalAlterConfigs({
      resources: [
        {
          resourceType: ConfigResourceTypes.TOPIC,
          resourceName: topicOf(kafka, "s1"),
          configs: ["retention.ms", "segment.ms", "file.delete.delay.ms"].map((name) => ({
            name,
            value: String(retentionMs),
            configOperation: IncrementalAlterConfigOperationTypes.SET,
          })),
        },
      ],
    });
  } finally {
    await admin.close();
  }
}
