import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import type { Config } from "../../src/config.ts";
import type { TableName } from "../../src/store/questdb/tables.ts";
import { chrome } from "../kit/calls/linkCalls.ts";
import { pageView } from "../kit/load/pageView.ts";
import { rowsInReplicas } from "../kit/scale/replicaRows.ts";
import { runConsumer } from "../kit/scale/runConsumer.ts";
import { type ScaleFixture, startScaleFixture } from "../kit/scale/scaleFixture.ts";
import { startApiProcess } from "../kit/stack/apiProcess.ts";
import { postJson } from "../kit/stack/owner.ts";
import { makeNamespace } from "../kit/stack/workerProcess.ts";

let fixture: ScaleFixture;
let namespace: Awaited<ReturnType<typeof makeNamespace>>;

beforeAll(async () => {
  namespace = await makeNamespace(inject("lookout").temporalAddress);
  fixture = await startScaleFixture(
    { TEMPORAL_NAMESPACE: namespace.namespace, UPTIME_ALLOW_CIDRS: "127.0.0.0/8" },
    { workers: 1 },
  );
}, 300_000);

afterAll(async () => {
  await fixture?.remove();
  await namespace?.remove();
}, 120_000);

/** Rows of a table on each replica, as text. */
function rowsOf(table: TableName, condition: string): Promise<string[][]> {
  const { stack } = fixture;
  const [{ questdb }] = stack.apis as [Config, ...Config[]];
  return rowsInReplicas(questdb, stack.replicas, table, condition);
}

/** Waits until both replicas have the same rows, at least `count`. */
async function expectOnBoth(table: TableName, condition: string, count: number): Promise<void> {
  await expect
    .poll(
      async () => {
        const [a = [], b] = await rowsOf(table, condition);
        return a.length >= count && JSON.stringify(a) === JSON.stringify(b);
      },
      { timeout: 100_000, interval: 500 },
    )
    .toBe(true);
}

test("events, and the sessions and daily records that a worker makes of them, are on both replicas", async () => {
  const { owner } = fixture;
  const yesterday = Date.now() - 86_400_000;
  const events = [yesterday, yesterday + 1_000, Date.now()].map((timestamp) =>
    pageView({ timestamp, eventId: randomUUID(), loadTime: 20 }),
  );
  await postJson(owner, `/batch?website_id=${owner.websiteId}`, events);
  await expectOnBoth("events", `website_id = '${owner.websiteId}'`, 3);
  await namespace.client.schedule.getHandle("correction").trigger();
  await expectOnBoth("sessions", `website_id = '${owner.websiteId}'`, 1);
  await expectOnBoth("daily_aggregates", `website_id = '${owner.websiteId}'`, 1);
}, 200_000);

test("a click is on both replicas, and so is a check", async () => {
  const { owner, stack } = fixture;
  const link = await postJson<{ slug: string }>(owner, "/links/create", { targetUrl: "https://target.example/page" });
  const redirect = await fetch(`${owner.baseUrl}/l/${link.slug}`, {
    redirect: "manual",
    headers: { "user-agent": chrome },
  });
  expect(redirect.status).toBe(302);
  await expectOnBoth("link_clicks", "ts > '2020'", 1);
  const { id } = await postJson<{ id: string }>(owner, "/uptime/monitors/create", {
    websiteId: owner.websiteId,
    url: `${stack.url}/healthz`,
    name: "Self",
    interval: "1m",
  });
  await expectOnBoth("uptime_checks", `monitor_id = '${id}'`, 1);
}, 200_000);

test("with LOG_UNAVAILABLE=refuse an event is answered 503 while the brokers do not take it, and sent again it is stored once", async () => {
  const { stack, owner } = fixture;
  const dataDir = await mkdtemp(join(tmpdir(), "lookout-refusing-"));
  const env = Object.fromEntries(Object.entries(stack.env).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >;
  const settings = {
    ...env,
    BASE_URL: "",
    PORT: "0",
    DATA_DIR: dataDir,
    LOG_UNAVAILABLE: "refuse",
  };
  const api = await startApiProcess(settings, { values: { kafka: { timeoutMs: 1_500 } } });
  try {
    const send = async (eventId: string) => {
      const answer = await fetch(`${api.baseUrl}/batch?website_id=${owner.websiteId}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify([pageView({ timestamp: Date.now(), eventId })]),
      });
      return { status: answer.status, retryAfter: answer.headers.get("retry-after") };
    };
    await expect.poll(() => send(randomUUID())).toMatchObject({ status: 200 });
    await Promise.all([stack.kill("broker-1"), stack.kill("broker-2")]);
    const refused = randomUUID();
    expect(await send(refused)).toEqual({ status: 503, retryAfter: "5" });
    const ready = await fetch(`${api.baseUrl}/readyz`);
    expect(await ready.json()).toMatchObject({
      status: "degraded",
      states: expect.arrayContaining([expect.objectContaining({ state: "brokers_unavailable" })]),
    });
    await Promise.all([stack.restart("broker-1"), stack.restart("broker-2")]);
    // The broker that was left may have it, and gives it to the others now.
    await expect.poll(async () => (await send(refused)).status, { timeout: 60_000 }).toBe(200);
    await expectOnBoth("events", `event_id = '${refused}'`, 1);
    expect((await rowsOf("events", `event_id = '${refused}'`)).map((rows) => rows.length)).toEqual([1, 1]);
  } finally {
    await api.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}, 300_000);

test.each([
  [["--shard", "s1"], "one of: --shard s1 --replica a, --shard s1 --replica b"],
  [["--shard", "s1", "--replica", "c"], "one of: --shard s1 --replica a"],
  [["--shards", "s1"], "Unknown option '--shards'"],
])("npm run consumer -- %s says what it needs", async (args, message) => {
  expect(await runConsumer(fixture.stack.env, args)).toEqual({ code: 2, output: expect.stringContaining(message) });
});

test("a second consumer of a replica on the same machine ends at once", async () => {
  const { stack } = fixture;
  const root = join(fixture.dataDir, "consumer-s1-a");
  const outcome = await runConsumer(stack.env, ["--shard", "s1", "--replica", "a"], root);
  expect(outcome).toEqual({
    code: 2,
    output: expect.stringContaining("Another process is the consumer of this replica"),
  });
  expect(stack.processId("consumer-s1-a")).toBeGreaterThan(0);
});

test("a consumer says in /readyz which replica it fills and how far behind it is", async () => {
  const { stack } = fixture;
  const [port] = stack.consumerPorts;
  await expect
    .poll(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).json())
    .toMatchObject({
      status: "ok",
      replica: { shard: "s1", replica: "a", isRebuilding: false, lagMs: expect.any(Number) },
    });
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(metrics).toMatch(/^lookout_consumed_rows_total [1-9]/m);
  expect(metrics).toMatch(/^lookout_consumer_lag_seconds \d/m);
});
