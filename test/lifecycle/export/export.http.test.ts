import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { type Config, readConfig } from "../../../src/config.ts";
import { reconcileExports } from "../../../src/lifecycle/export/run/reconcileExports.ts";
import { withdrawExports } from "../../../src/lifecycle/export/run/withdrawExports.ts";
import { handlers } from "../../../src/main/handlers.ts";
import { TemporalConnection } from "../../../src/store/temporal/temporalConnection.ts";
import { send } from "../../kit/calls/request.ts";
import { createKey, createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { type OwnServer, startOwnServer } from "../../kit/stack/ownServer.ts";
import { noonDaysAgo } from "../../kit/stores/noonDaysAgo.ts";
import { countRows } from "../../kit/stores/sampleRows.ts";
import { storedWorkflowId } from "../../kit/stores/storedWorkflowId.ts";
import { openQuestdb } from "../../kit/stores/testQuestdb.ts";
import { addressOf, ask, cancel, ended, hasFiles, show, start } from "./exportCalls.ts";
import { insertEvents, sourceEvents } from "./exportSource.ts";

const dayMs = 86_400_000;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const fromMs = noonDaysAgo(12);
const days = { start_date: dayOf(fromMs), end_date: dayOf(fromMs) };
const validRequest = { ...days, format: "csv", data_types: ["events"] };

/** Many parts, so that there is time to look, and one export at a time. */
let slow: OwnServer;
let website: TestWebsite;
let postgres: pg.Pool;

beforeAll(async () => {
  const { dataDir, databaseUrl } = inject("lookout");
  postgres = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  website = await createWebsite();
  const env = { EXPORT_MAX_RUNNING: "1", DATA_DIR: dataDir };
  slow = await startOwnServer(handlers, env, { exports: { partRows: 100 } });
  const questdb = openQuestdb();
  await insertEvents(questdb, sourceEvents(3_000, website.websiteId, fromMs, 1_000), website.websiteId);
  const areVisible = async () => expect(await countRows(questdb, "events", website.websiteId)).toBe(3_000);
  await vi.waitFor(areVisible, { timeout: 100_000, interval: 100 });
  await questdb.close();
});
afterAll(async () => {
  await Promise.all([slow?.close(), postgres.end()]);
});

/** Starts a slow export and waits until it has written rows. Each part of Parquet starts a process. */
async function startSlow(): Promise<string> {
  const id = await start(website.websiteId, { ...days, format: "parquet" }, website, slow);
  await expect.poll(async () => (await show(id, website)).rows_done).toBeGreaterThan(0);
  return id;
}

describe("4.18: what can be exported", () => {
  test("a day that does not exist, and a reversed, future or too long range are refused with advice", async () => {
    const tomorrow = dayOf(Date.now() + 2 * dayMs);
    for (const [range, field, message] of [
      [{ start_date: "2026-02-30", end_date: "2026-03-01" }, "start_date", "is no day of the calendar"],
      [{ start_date: "2026-03-02", end_date: "2026-03-01" }, "end_date", "must not be before the start"],
      [{ start_date: tomorrow, end_date: tomorrow }, "start_date", "must not be after today"],
      [{ start_date: "2010-01-01", end_date: "2026-01-01" }, "end_date", "must be at most 10 years"],
      [{ start_date: "1.2.2026", end_date: "2026-03-01" }, "start_date", ""],
    ] as const) {
      const answer = await ask(website.websiteId, { ...validRequest, ...range }, website);
      expect(answer).toMatchObject({ status: 400, body: { success: false, code: "VALIDATION_ERROR" } });
      expect(answer.body).toMatchObject({ details: [{ field, message: expect.stringContaining(message) }] });
    }
  });

  test("ten years are exported; an end in the future stands for now", async () => {
    const end = new Date(Date.now() + dayMs);
    const long = {
      start_date: dayOf(end.setUTCFullYear(end.getUTCFullYear() - 10) + dayMs),
      end_date: dayOf(Date.now() + dayMs),
    };
    const shown = await ended(await start(website.websiteId, long, website), website);
    expect(shown).toMatchObject({ status: "completed", rows_done: 3_000, rows_total: 3_000 });
  });

  test("the estimate of its end comes from the speed of the last export of the format", async () => {
    const last = await ended(await start(website.websiteId, { ...days, format: "json" }, website), website);
    await postgres.query(
      `UPDATE exports SET rows_written = 10000, rows_packed = 10000, started_at = now() - interval '1100 seconds',
         packing_at = now() - interval '100 seconds', completed_at = now() WHERE id = $1`,
      [last.export_id],
    );
    const secondsOf = async (format: string) => {
      const requestedMs = Date.now();
      const answer = await ask(website.websiteId, { ...validRequest, format }, website);
      const { export_id: id, estimated_completion: at } = answer.body as Record<string, string>;
      await ended(String(id), website);
      return (Date.parse(String(at)) - requestedMs) / 1_000;
    };
    // 3,000 rows at 10 a second, then at 100.
    expect(await secondsOf("json")).toBeGreaterThan(270);
    expect(await secondsOf("parquet")).toBeLessThan(300);
  });

  test("an unknown format and data type are refused with the nearest one", async () => {
    const answer = await ask(website.websiteId, { ...days, format: "parket", data_types: ["event"] }, website);
    expect(answer).toMatchObject({ status: 400, body: { code: "VALIDATION_ERROR" } });
    expect(answer.body).toMatchObject({
      details: [
        { field: "format", suggestion: "parquet" },
        { field: "data_types[0]", suggestion: "events" },
      ],
    });
  });

  test("another organization's data cannot be seen or exported, and a key needs the scope and the website", async () => {
    const [other, reader, limited] = await Promise.all([
      createWebsite(),
      createKey({ organizationId: website.organizationId, scopes: ["read:data", "admin"] }),
      createKey({ organizationId: website.organizationId, websiteIds: [randomUUID()] }),
    ]);
    const id = await start(website.websiteId, days, website);
    const missing = { status: 404, body: { success: false, code: "NOT_FOUND" } };
    for (const key of [other, { apiKey: limited }]) {
      expect(await ask(website.websiteId, validRequest, key)).toMatchObject(missing);
      for (const [verb, path] of [
        ["GET", `/v1/exports/${id}`],
        ["POST", `/v1/exports/${id}/cancel`],
        ["GET", `/v1/websites/${website.websiteId}/exports`],
      ] as const)
        expect(await send(verb, path, { apiKey: key.apiKey })).toMatchObject(missing);
    }
    const denied = { status: 403, body: { code: "ACCESS_DENIED" } };
    expect(await ask(website.websiteId, validRequest, { apiKey: reader })).toMatchObject(denied);
    expect(await send("GET", `/v1/exports/${id}`, { apiKey: reader })).toMatchObject(denied);
    expect(await send("GET", `/v1/exports/${id}`)).toMatchObject({ status: 401 });
    expect(await send("GET", `/v1/exports/a%00b`, { apiKey: website.apiKey })).toMatchObject({
      status: 400,
      body: { details: [{ field: "export_id" }] },
    });
    await ended(id, website);
  });

  test("the list shows a website's exports, newest first, page by page", async () => {
    const own = await createWebsite();
    const first = await start(own.websiteId, days, own);
    const second = await start(own.websiteId, { ...days, format: "json" }, own);
    const list = async (query: string) => {
      const answer = await send("GET", `/v1/websites/${own.websiteId}/exports${query}`, { apiKey: own.apiKey });
      return answer.body as { exports: { export_id: string; format: string }[]; next_cursor: string | null };
    };
    const page = await list("?limit=1");
    expect(page.exports).toMatchObject([{ export_id: second, format: "json", website_id: own.websiteId, ...days }]);
    const next = await list(`?limit=1&cursor=${page.next_cursor}`);
    expect(next).toMatchObject({ exports: [{ export_id: first, format: "csv" }], next_cursor: null });
    await Promise.all([ended(first, own), ended(second, own)]);
  });
});

describe("4.18: an export that runs", () => {
  test("shows its progress and estimated end, holds the only slot, and stops when it is cancelled", async () => {
    const id = await startSlow();
    const running = await show(id, website);
    expect(running).toMatchObject({ status: "processing", download_url: null, expires_at: null, rows_total: 3_000 });
    expect(running.progress).toBeLessThan(100);
    expect(Date.parse(String(running["estimated_completion"]))).toBeGreaterThan(
      Date.parse(String(running["created_at"])),
    );
    expect(await ask(website.websiteId, validRequest, website, slow)).toMatchObject({
      status: 429,
      body: { code: "RATE_LIMIT_EXCEEDED", limit: 1, remaining: 0, retryAfter: expect.any(Number) },
    });

    const done = { status: 200, body: { success: true, export_id: id, status: "cancelled" } };
    expect(await cancel(id, website)).toMatchObject(done);
    expect(await cancel(id, website), "again").toMatchObject(done);
    await expect.poll(() => hasFiles(id)).toBe(false);
    const cancelled = await show(id, website);
    expect(cancelled).toMatchObject({ status: "cancelled", reason: "It was cancelled", download_url: null });
    expect(cancelled.rows_done).toBeLessThan(3_000);
    const audit = await send("POST", "/audit/list", { body: { objectId: id }, apiKey: website.apiKey });
    expect(audit.body).toMatchObject({ entries: [{ action: "export.cancel" }, { action: "export.create" }] });

    const next = await ended(await start(website.websiteId, days, website), website);
    expect(await cancel(next.export_id, website)).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
  });

  test("ends with the rows there are, even if some could not be read yet when it was requested", async () => {
    const id = await start(website.websiteId, days, website, slow);
    const change = "UPDATE exports SET rows_total = 10 WHERE id = $1 AND rows_written > 0 AND status = 'processing'";
    await expect.poll(async () => (await postgres.query(change, [id])).rowCount).toBe(1);
    expect(await ended(id, website)).toMatchObject({ status: "completed", rows_done: 3_000, rows_total: 3_000 });
  });
});

describe("4.17: an erasure withdraws the exports that hold erased rows", () => {
  let config: Config;
  let temporal: TemporalConnection;
  beforeAll(() => {
    const { databaseUrl, dataDir, temporalAddress } = inject("lookout");
    config = readConfig({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, TEMPORAL_ADDRESS: temporalAddress });
    temporal = new TemporalConnection(config.temporal);
  });
  afterAll(async () => await temporal.close());
  const midnightMs = fromMs - dayMs / 2;
  const withdraw = (more: object) =>
    withdrawExports(
      { config, postgres, temporal },
      {
        websiteId: website.websiteId,
        fromMs: midnightMs,
        toMs: midnightMs + dayMs,
        tables: new Set(["events", "sessions", "daily_aggregates", "llm_calls"]),
        deletionId: randomUUID(),
        ...more,
      },
      () => undefined,
      AbortSignal.timeout(60_000),
    );

  test("finished and running ones of these days; those of other days, data and websites stay", async () => {
    const [finished, before, aggregated] = await Promise.all([
      start(website.websiteId, days, website),
      start(website.websiteId, { start_date: dayOf(fromMs - dayMs), end_date: dayOf(fromMs - dayMs) }, website),
      start(website.websiteId, { ...days, data_types: ["aggregated"] }, website),
    ]);
    const done = await ended(finished, website);
    await Promise.all([before, aggregated].map((id) => ended(id, website)));
    const running = await startSlow();
    const deletionId = randomUUID();

    expect(await withdraw({ tables: new Set(["performance_metrics", "uptime_checks", "incidents"]) })).toEqual([]);
    expect(await withdraw({ websiteId: (await createWebsite()).websiteId })).toEqual([]);
    expect(await withdraw({ tables: new Set(["daily_aggregates"]) })).toEqual([aggregated]);
    const withdrawn = await withdraw({ deletionId });
    expect(withdrawn).toEqual(expect.arrayContaining([finished, running]));
    expect(withdrawn).not.toContain(before);
    expect(await withdraw({ deletionId }), "again").toEqual(withdrawn);

    const reason = "Data of these days was erased. Start a new export of what is left";
    expect(await show(finished, website)).toMatchObject({ status: "expired", download_url: null, reason });
    expect(await show(running, website)).toMatchObject({ status: "cancelled", download_url: null, reason });
    for (const id of [finished, running, aggregated]) expect(await hasFiles(id), id).toBe(false);
    const gone = await fetch(addressOf(done));
    expect(gone.status).toBe(410);
    expect(await gone.json()).toMatchObject({ error: reason });
    expect(await show(before, website)).toMatchObject({ status: "completed" });
    expect(await hasFiles(before)).toBe(true);
  });
});

describe("4.18: an export whose run is lost", () => {
  test("is ended and its files removed; running exports are not touched", async () => {
    const { databaseUrl, dataDir, temporalAddress } = inject("lookout");
    const config = readConfig({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, TEMPORAL_ADDRESS: temporalAddress });
    const temporal = new TemporalConnection(config.temporal);
    try {
      const done = await start(website.websiteId, days, website);
      const runOf = async (id: string) => temporal.client.workflow.getHandle(await storedWorkflowId("export", id));
      await ended(done, website);
      const lost = await startSlow();
      await (await runOf(lost)).terminate("lost");
      await (await runOf(done)).terminate("lost");
      const reconcile = () => reconcileExports({ config, postgres, temporal });
      await reconcile();
      expect(await show(lost, website), "it is young").toMatchObject({ status: "processing" });

      await postgres.query("UPDATE exports SET run_started_at = now() - interval '1 hour' WHERE id = $1", [lost]);
      await postgres.query("UPDATE exports SET expires_at = now() - interval '1 hour' WHERE id = $1", [done]);
      await reconcile();
      expect(await show(lost, website)).toMatchObject({ status: "failed", reason: expect.stringContaining("lost") });
      expect(await show(done, website)).toMatchObject({ status: "expired", download_url: null });
      await expect.poll(() => hasFiles(done), { timeout: 100_000 }).toBe(false);

      await postgres.query("UPDATE exports SET ended_at = now() - interval '1 hour' WHERE id = $1", [lost]);
      await expect.poll(() => hasFiles(lost), { timeout: 100_000 }).toBe(false);
    } finally {
      await temporal.close();
    }
  });
});

describe("4.18: while Temporal hangs", () => {
  /** Takes connections and answers nothing. */
  const hanging = createServer();
  const connections = new Set<Socket>();
  let server: OwnServer;
  beforeAll(async () => {
    hanging.on("connection", (socket) => connections.add(socket));
    hanging.listen(0, "127.0.0.1");
    await once(hanging, "listening");
    const { port } = hanging.address() as AddressInfo;
    server = await startOwnServer(handlers, { TEMPORAL_ADDRESS: `127.0.0.1:${port}`, EXPORT_MAX_RUNNING: "8" });
  });
  afterAll(async () => {
    await server?.close();
    for (const socket of connections) socket.destroy();
    hanging.close();
  });

  test("exports are taken, no transaction waits for it, and they are written once it is back", async () => {
    const own = await createWebsite();
    // More than the server has connections.
    const answers = Promise.all(
      ["csv", "json", "parquet"].map((format) => start(own.websiteId, { ...days, format }, own, server)),
    );
    answers.catch(() => undefined);
    // They are committed before they have been answered.
    await expect.poll(() => connections.size).toBeGreaterThan(0);
    await expect
      .poll(async () => (await postgres.query("SELECT FROM exports WHERE website_id = $1", [own.websiteId])).rowCount)
      .toBe(3);
    const ids = await answers;

    const { databaseUrl, dataDir, temporalAddress } = inject("lookout");
    const config = readConfig({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, TEMPORAL_ADDRESS: temporalAddress });
    const temporal = new TemporalConnection(config.temporal);
    try {
      // The Schedule does this each minute.
      await reconcileExports({ config, postgres, temporal });
      for (const id of ids) expect(await ended(id, own)).toMatchObject({ status: "completed", rows_done: 0 });
    } finally {
      await temporal.close();
    }
  });
});
