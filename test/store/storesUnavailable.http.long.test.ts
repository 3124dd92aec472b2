import { randomUUID } from "node:crypto";
import { createServer } from "node:net";
import { afterEach, describe, expect, inject, test, vi } from "vitest";
import { create } from "../kit/calls/linkCalls.ts";
import { type JsonAnswer, send } from "../kit/calls/request.ts";
import { createWebsite } from "../kit/calls/website.ts";
import { createGate, type Gate } from "../kit/servers/gate.ts";
import { type ApiProcess, startApiProcess } from "../kit/stack/apiProcess.ts";
import type { Values } from "../kit/stack/values.ts";
import { storedRows } from "../kit/stores/storedRows.ts";

// Each starts a process of its own, which takes its time on a machine that runs all tests at once.
vi.setConfig({ testTimeout: 180_000 });

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** A gate in front of the server of an address, and the address that leads through it. */
async function gateTo(address: string): Promise<{ gate: Gate; url: string }> {
  const url = new URL(address);
  const gate = await createGate(Number(url.port));
  cleanUps.push(() => gate.shut());
  url.port = String(gate.port);
  return { gate, url: url.href };
}

async function start(env: Readonly<Record<string, string>>, values: Values = {}): Promise<ApiProcess> {
  const api = await startApiProcess(env, { values });
  cleanUps.push(() => api.stop());
  return api;
}

/** QuestDB behind gates that are shut. */
async function questdbAway() {
  const { questdbHttp, questdbPg } = inject("lookout");
  const [http, pg] = [await gateTo(questdbHttp), await gateTo(questdbPg)];
  await Promise.all([http.gate.shut(), pg.gate.shut()]);
  return {
    env: { QUESTDB_HTTP: http.url, QUESTDB_PG: pg.url },
    comeBack: () => Promise.all([http.gate.open(), pg.gate.open()]),
  };
}

const browser = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36" };

function post(baseUrl: string, websiteId: string, eventIds: readonly string[], apiKey?: string): Promise<JsonAnswer> {
  const body = eventIds.map((eventId) => ({ name: "page_view", path: "/", eventId }));
  const key = apiKey === undefined ? {} : { apiKey };
  return send("POST", `/batch?website_id=${websiteId}`, { baseUrl, headers: browser, body, ...key });
}

const idsOf = (count: number) => Array.from({ length: count }, () => randomUUID());

function expectUnavailable({ status, headers, body }: JsonAnswer): void {
  expect({ status, body }).toMatchObject({ status: 503, body: { status: "error", code: "SERVICE_UNAVAILABLE" } });
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
}

async function expectStored(websiteId: string, eventIds: readonly string[]): Promise<void> {
  const stored = await storedRows("events", websiteId, eventIds.length);
  expect(stored.map((row) => row["event_id"]).sort()).toEqual([...eventIds].sort());
}

describe("8: QuestDB is unavailable when the API starts", () => {
  test("events are acknowledged, and stored once when it is up", async () => {
    const { websiteId } = await createWebsite();
    const store = await questdbAway();
    const { baseUrl } = await start(store.env);
    const ids = idsOf(5);
    expect((await post(baseUrl, websiteId, ids)).status).toBe(200);
    expect((await post(baseUrl, websiteId, ids)).status).toBe(200);
    // It can accept events, so it stays in the load balancer.
    const readiness = () => send("GET", "/readyz", { baseUrl });
    expect(await readiness()).toMatchObject({
      status: 200,
      body: {
        status: "degraded",
        stores: { questdb: "unavailable" },
        states: expect.arrayContaining([expect.objectContaining({ state: "questdb_unavailable" })]),
      },
    });
    await store.comeBack();
    await expectStored(websiteId, ids);
    await expect.poll(async () => (await readiness()).body).toMatchObject({ stores: { questdb: "ok" } });
  });

  test("over the log's limit they are answered 503 with Retry-After, and only acknowledged ones are stored", async () => {
    const { websiteId } = await createWebsite();
    const store = await questdbAway();
    const { baseUrl } = await start({ ...store.env, LOG_MAX_BYTES: "8192" });
    const acknowledged: string[] = [];
    let last: JsonAnswer | undefined;
    for (let sent = 0; sent < 100 && last?.status !== 503; sent += 1) {
      const ids = idsOf(5);
      last = await post(baseUrl, websiteId, ids);
      if (last.status === 200) acknowledged.push(...ids);
    }
    if (last !== undefined) expectUnavailable(last);
    expect(acknowledged.length).toBeGreaterThan(5);
    await store.comeBack();
    await expectStored(websiteId, acknowledged);
    await expect.poll(async () => (await post(baseUrl, websiteId, idsOf(1))).status).toBe(200);
  });
});

describe("8: PostgreSQL is unavailable", () => {
  test("when the API starts: it accepts nothing that it could not keep, and is ready as soon as PostgreSQL is up", async () => {
    const { websiteId } = await createWebsite();
    const { gate, url } = await gateTo(inject("lookout").databaseUrl);
    await gate.shut();
    // Answers that it is unavailable, as a proxy does whose server is down, and counts the requests.
    let requests = 0;
    const refusing = createServer((socket) => {
      requests += 1;
      socket.destroy();
    }).listen(gate.port, "127.0.0.1");
    const starting = start({ DATABASE_URL: url });
    const isRetried = expect.poll(() => requests, { timeout: 200_000 }).toBeGreaterThan(3);
    expect(await Promise.race([starting, isRetried.then(() => "not ready")])).toBe("not ready");
    await new Promise((resolve) => refusing.close(resolve));
    await gate.open();
    const ids = idsOf(3);
    expect((await post((await starting).baseUrl, websiteId, ids)).status).toBe(200);
    await expectStored(websiteId, ids);
  });

  test("later: events of known websites are acknowledged and stored once; unknown websites and keys are answered 503", async () => {
    const known = await createWebsite();
    const other = await createWebsite();
    const { gate, url } = await gateTo(inject("lookout").databaseUrl);
    const { baseUrl } = await start({ DATABASE_URL: url, CACHE_MS: "0" });
    const before = idsOf(3);
    expect((await post(baseUrl, known.websiteId, before, known.apiKey)).status).toBe(200);

    await gate.shut();
    const during = idsOf(5);
    expect((await post(baseUrl, known.websiteId, during)).status).toBe(200);
    expect((await post(baseUrl, known.websiteId, [...before, ...during])).status).toBe(200);
    expectUnavailable(await post(baseUrl, other.websiteId, idsOf(1)));
    // A revoked key must not stay valid while PostgreSQL is unavailable.
    expectUnavailable(await post(baseUrl, known.websiteId, idsOf(1), known.apiKey));

    await gate.open();
    await expectStored(known.websiteId, [...before, ...during]);
    const after = idsOf(2);
    expect((await post(baseUrl, known.websiteId, after, known.apiKey)).status).toBe(200);
    await expectStored(known.websiteId, [...before, ...during, ...after]);
  });
});

describe("8: PostgreSQL hangs, as a stopped process does", () => {
  test("events and clicks of what the process knows are answered meanwhile and stored once; other calls are answered 503", async () => {
    const known = await createWebsite();
    const other = await createWebsite();
    const { gate, url } = await gateTo(inject("lookout").databaseUrl);
    const values = { postgres: { answerTimeoutMs: 30_000 } };
    const { baseUrl } = await start({ DATABASE_URL: url, CACHE_MS: "0" }, values);
    const { slug } = await create({ targetUrl: "https://shop.example/", websiteId: known.websiteId }, known, baseUrl);
    const click = () => fetch(`${baseUrl}/l/${slug}`, { redirect: "manual", headers: browser });
    expect((await click()).status).toBe(302);
    const before = idsOf(3);
    expect((await post(baseUrl, known.websiteId, before)).status).toBe(200);

    gate.freeze();
    let refused = 0;
    const waiting = Promise.all(
      [post(baseUrl, other.websiteId, idsOf(1)), post(baseUrl, known.websiteId, idsOf(1), known.apiKey)].map(
        async (call) => {
          expectUnavailable(await call);
          refused += 1;
        },
      ),
    );
    const during = idsOf(20);
    for (const id of during) expect((await post(baseUrl, known.websiteId, [id])).status).toBe(200);
    for (let turn = 0; turn < 5; turn += 1) expect((await click()).status).toBe(302);
    // They did not wait for PostgreSQL, for which these calls still wait.
    expect(refused).toBe(0);
    await waiting;

    gate.thaw();
    await expectStored(known.websiteId, [...before, ...during]);
    const clicks = async () => (await storedRows("link_clicks", known.websiteId, 6)).length;
    expect(await clicks()).toBe(6);
    await expect.poll(async () => (await post(baseUrl, other.websiteId, idsOf(1))).status).toBe(200);
  });
});
