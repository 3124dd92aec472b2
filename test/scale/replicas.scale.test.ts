import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { QueryService } from "../../src/gen/lookout/v1/query_pb.ts";
import { QuestdbReader } from "../../src/store/questdb/questdbReader.ts";
import { send } from "../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { pageView } from "../kit/load/pageView.ts";
import { type ScaleFixture, startScaleFixture } from "../kit/scale/scaleFixture.ts";
import { makeNamespace } from "../kit/stack/workerProcess.ts";
import { inDatabase } from "../kit/stores/inDatabase.ts";

const waiting = { timeout: 150_000, interval: 250 };

let fixture: ScaleFixture;
let namespace: Awaited<ReturnType<typeof makeNamespace>>;
/** Of two organizations, so of two shards. */
let first: TestWebsite;
let second: TestWebsite;

beforeAll(async () => {
  namespace = await makeNamespace(inject("lookout").temporalAddress);
  const own = { TEMPORAL_NAMESPACE: namespace.namespace };
  fixture = await startScaleFixture(own, { shards: 2, replicas: 2, apis: 1, workers: 1 });
  const databaseUrl = apiConfig().postgres.url;
  // The organization of the first start is on the first shard, so the next one gets the second.
  second = await createWebsite({ databaseUrl });
  await sendViews(second, 5);
  first = await createWebsite({ databaseUrl });
  await sendViews(first, 8);
}, 400_000);

afterAll(async () => {
  await fixture?.remove();
  await namespace?.remove();
}, 120_000);

function apiConfig() {
  const [api] = fixture.stack.apis;
  if (api === undefined) throw new Error("no API runs");
  return api;
}

async function sendViews({ websiteId }: TestWebsite, count: number): Promise<void> {
  const body = Array.from({ length: count }, (_, index) => pageView({ timestamp: Date.now(), visitor: index }));
  const { baseUrl } = apiConfig().server;
  const answer = await send("POST", `/batch?website_id=${websiteId}`, { body, baseUrl });
  expect(answer.body).toMatchObject({ status: "success", batched: { track: count } });
}

/** The page views of today that the API answers. */
async function viewsOf({ websiteId, apiKey }: TestWebsite): Promise<number> {
  const body = { preset: "today", parameters: ["summary_metrics"] };
  const { baseUrl } = apiConfig().server;
  const answer = await send("POST", `/v1/query?website_id=${websiteId}`, { body, apiKey, baseUrl });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const { data } = answer.body as { data: { error: string | null; data: { pageviews: number }[] }[] };
  expect(data[0]?.error).toBeNull();
  return Number(data[0]?.data[0]?.pageviews);
}

/** Rows of a website in each replica, such as `s1/a`; a replica that does not answer is left out. */
async function rowsByReplica({ websiteId }: TestWebsite, table = "events"): Promise<Record<string, number>> {
  const found = await Promise.all(
    fixture.stack.replicas.map(async ({ shard, name, http, pg }) => {
      const reader = new QuestdbReader({ ...apiConfig().questdb, http, pg });
      try {
        const [row] = await reader.read(`SELECT count() n FROM ${table} WHERE website_id = $1`, [websiteId]);
        return [[`${shard}/${name}`, Number(row?.["n"])] as const];
      } catch {
        return [];
      } finally {
        await reader.close();
      }
    }),
  );
  return Object.fromEntries(found.flat());
}

test("the rows of each organization are on its own shard, in all of its replicas, and queries find them there", async () => {
  await vi.waitFor(async () => {
    expect(await rowsByReplica(second)).toEqual({ "s1/a": 0, "s1/b": 0, "s2/a": 5, "s2/b": 5 });
    expect(await rowsByReplica(first)).toEqual({ "s1/a": 8, "s1/b": 8, "s2/a": 0, "s2/b": 0 });
  }, waiting);
  expect([await viewsOf(first), await viewsOf(second)]).toEqual([8, 5]);
});

test("kill -9 of the replica that is read: every query is answered with the same figures, and a Watch continues", async () => {
  const { stack } = fixture;
  await vi.waitFor(async () => expect(await viewsOf(first)).toBe(8), waiting);
  const leave = new AbortController();
  const watched: unknown[] = [];
  const stream = createClient(QueryService, createGrpcTransport({ baseUrl: apiConfig().server.baseUrl })).watch(
    { websiteId: first.websiteId, query: { preset: "today", parameters: [{ name: "summary_metrics" }] } },
    { headers: { "x-api-key": first.apiKey }, signal: leave.signal },
  );
  const watching = (async () => {
    for await (const { answer } of stream) watched.push(answer?.data[0]?.data[0]?.["pageviews"]);
  })();
  watching.catch(() => undefined);
  await vi.waitFor(() => expect(watched).toContain(8), waiting);

  const killed = stack.kill("questdb-s1-a");
  const answers: number[] = [];
  for (let asked = 0; asked < 40; asked += 1) answers.push(await viewsOf(first));
  await killed;
  for (let asked = 0; asked < 20; asked += 1) answers.push(await viewsOf(first));
  expect(new Set(answers)).toEqual(new Set([8]));
  // The other shard does not notice.
  expect(await viewsOf(second)).toBe(5);
  const ready = await send("GET", "/readyz", { baseUrl: apiConfig().server.baseUrl });
  expect(ready.status).toBe(200);
  expect(ready.body).toMatchObject({
    states: expect.arrayContaining([expect.objectContaining({ state: "replica_away", of: "s1/a" })]),
  });

  await stack.restart("questdb-s1-a");
  // Rows are stored in both replicas again, and the stream has the next answer from the other one.
  await sendViews(first, 2);
  await vi.waitFor(async () => expect(await viewsOf(first)).toBe(10), waiting);
  await vi.waitFor(() => expect(watched.at(-1)).toBe(10), waiting);
  expect(watched.filter((views) => views !== 8 && views !== 10)).toEqual([]);
  leave.abort();
  await expect(watching).rejects.toThrow();
  await vi.waitFor(async () => expect(await rowsByReplica(first)).toMatchObject({ "s1/a": 10, "s1/b": 10 }), waiting);
});

test("an erasure while a replica is away: the receipt names it, and it is read again after it has erased the rows too", async () => {
  const { stack } = fixture;
  const { baseUrl } = apiConfig().server;
  await stack.kill("questdb-s2-b");
  const today = new Date().toISOString().slice(0, 10);
  const body = { start_date: "2026-01-01", end_date: today, data_types: ["events"] };
  const started = await send("DELETE", `/v1/websites/${second.websiteId}/data`, {
    body,
    apiKey: second.apiKey,
    baseUrl,
  });
  expect(started.body).toMatchObject({ success: true, deleted: { events: 5 } });
  const { deletion_id: id } = started.body as { deletion_id: string };
  const receipt = async () => {
    const answer = await send("GET", `/v1/deletions/${id}`, { apiKey: second.apiKey, baseUrl });
    return (answer.body as { receipt: { replicas_away: object[]; tables: object[] } | null }).receipt;
  };
  await vi.waitFor(async () => expect(await receipt()).not.toBeNull(), { timeout: 280_000, interval: 500 });
  const away = { place: "s2/b", last_seen_at: expect.any(String) };
  expect(await receipt()).toMatchObject({
    replicas_away: [away],
    tables: expect.arrayContaining([{ table: "events", rows_before: 5, rows_after: 0 }]),
  });
  expect(await viewsOf(second)).toBe(0);
  expect(await rowsByReplica(second)).toMatchObject({ "s2/a": 0 });

  await stack.restart("questdb-s2-b");
  // No answer shows a row, from whichever replica it comes.
  const isMadeUp = async () => {
    expect(await viewsOf(second)).toBe(0);
    expect(await receipt()).toMatchObject({ replicas_away: [{ ...away, erased_at: expect.any(String) }] });
  };
  await vi.waitFor(isMadeUp, { timeout: 200_000, interval: 200 });
  expect(await rowsByReplica(second)).toMatchObject({ "s2/a": 0, "s2/b": 0 });
  await vi.waitFor(async () => {
    const lacking = await inDatabase(
      (database) => database.query("SELECT FROM store_replicas WHERE erased_until IS NOT NULL"),
      apiConfig().postgres.url,
    );
    expect(lacking.rowCount).toBe(0);
  }, waiting);

  // Alone, the replica that was away answers without the rows.
  await stack.kill("questdb-s2-a");
  expect(await viewsOf(second)).toBe(0);
  await stack.restart("questdb-s2-a");
}, 500_000);
