import { createServer } from "node:http";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { startOperationsServer } from "../../src/observability/operationsServer.ts";
import { QuestdbReader } from "../../src/store/questdb/questdbReader.ts";
import { expiryTimes } from "../../src/uptime/figures/certificateMetrics.ts";
import { send } from "../kit/calls/request.ts";
import { createWebsite } from "../kit/calls/website.ts";
import { metricsOf, monitoringExpressions } from "../kit/monitoring/metricNames.ts";
import { type ApiProcess, startApiProcess } from "../kit/stack/apiProcess.ts";
import { inDatabase } from "../kit/stores/inDatabase.ts";
import { insertMonitor, writeChecks } from "../kit/stores/monitorFixture.ts";
import { oneNode } from "../kit/stores/oneNode.ts";

const workerUrl = () => inject("lookout").workerUrl;
const get = (path: string, baseUrl = workerUrl()) => send("GET", path, { baseUrl });

/** The value of a metric without labels, or with these. */
async function metric(name: string, baseUrl?: string): Promise<number> {
  const { status, body } = await get("/metrics", baseUrl);
  expect(status).toBe(200);
  const line = String(body)
    .split("\n")
    .find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1) ?? Number.NaN);
}

test("8: a worker answers that it lives, and each store and its log by name", async () => {
  expect(await get("/healthz")).toMatchObject({ status: 200, body: { status: "ok" } });
  await expect
    .poll(() => get("/readyz"))
    .toMatchObject({
      status: 200,
      body: { stores: { questdb: "ok", postgres: "ok", temporal: "ok" }, log: { state: "ok" } },
    });
  expect((await get("/")).status).toBe(404);
  expect((await send("POST", "/metrics", { baseUrl: workerUrl(), body: {} })).status).toBe(404);
});

test("8: pages of other origins cannot read a worker's health and metrics", async () => {
  for (const path of ["/readyz", "/metrics"]) {
    const { headers } = await send("GET", path, { baseUrl: workerUrl(), headers: { origin: "https://evil.example" } });
    expect(headers.get("access-control-allow-origin")).toBeNull();
  }
});

test("8: a worker's metrics count monitors by status, and say since when a deletion runs", async () => {
  const { organizationId, websiteId } = await createWebsite();
  const before = await metric('lookout_monitors{status="paused"}');
  await inDatabase((database) =>
    database.query(
      `INSERT INTO monitors (id, website_id, organization_id, url, interval_ms, phase_ms, timeout_ms, cache_bust, options, status, notified_revision)
       SELECT gen_random_uuid()::text, $1, $2, 'https://shop.example', 60000, 0, 5000, false, '{}', 'paused', 1 FROM generate_series(1, 1000)`,
      [websiteId, organizationId],
    ),
  );
  // Other tests pause monitors too, but not as many.
  await expect.poll(() => metric('lookout_monitors{status="paused"}')).toBeGreaterThan(before + 900);
  for (const name of [
    "lookout_incidents_open",
    "lookout_notifications_pending",
    "lookout_exports_running",
    "lookout_deletion_oldest_timestamp_seconds",
    "lookout_export_oldest_timestamp_seconds",
    "lookout_touched_days",
    "lookout_touched_hours",
    "lookout_temporal_pollers_failed",
    'lookout_temporal_task_slots{kind="local_activity"}',
    'lookout_checks_lost_total{reason="skipped"}',
    "lookout_log_max_bytes",
  ])
    expect(await metric(name), name).toBeGreaterThanOrEqual(0);
  await inDatabase((database) => database.query("DELETE FROM monitors WHERE website_id = $1", [websiteId]));
});

test("8: the certificates of active monitors are read, and those of paused ones are not", async () => {
  const website = await createWebsite();
  const expiresMs = Date.UTC(2040, 0, 1) + website.websiteId.charCodeAt(0);
  const dueMs = Date.now() - 60_000;
  const active = await insertMonitor(website, { status: "active" });
  const paused = await insertMonitor(website);
  for (const [monitor, sslExpiryMs] of [
    [active, expiresMs],
    [paused, expiresMs + 1_000],
  ] as const)
    await writeChecks(monitor, [{ dueMs, region: "local", status: "up", more: { sslExpiryMs } }]);
  const config = readConfig({ QUESTDB_PG: inject("lookout").questdbPg });
  const questdb = new QuestdbReader(config.questdb);
  try {
    const times = await inDatabase((postgres) => expiryTimes({ postgres, questdb: oneNode(questdb) }));
    expect(times).toContain(expiresMs);
    expect(times).not.toContain(expiresMs + 1_000);
  } finally {
    await questdb.close();
    await inDatabase((database) => database.query("DELETE FROM monitors WHERE website_id = $1", [website.websiteId]));
  }
});

test("8: a port that is taken keeps nothing from working, and is logged with the setting to change", async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen({ host: "127.0.0.1", port: 0 }, resolve));
  const { port } = taken.address() as { port: number };
  const lines: string[] = [];
  const log = { info: () => undefined, warn: (_: unknown, text = "") => void lines.push(text) };
  const server = await startOperationsServer(
    { host: "127.0.0.1", port, setting: "WORKER_OPERATIONS_PORT" },
    new Map(),
    log,
  );
  expect(lines).toEqual([expect.stringContaining("set WORKER_OPERATIONS_PORT to a free port")]);
  await server.close();
  taken.close();
});

let api: ApiProcess;
let operationsPort: number;
beforeAll(async () => {
  const free = createServer();
  await new Promise<void>((resolve) => free.listen({ host: "127.0.0.1", port: 0 }, resolve));
  ({ port: operationsPort } = free.address() as { port: number });
  await new Promise((resolve) => free.close(resolve));
  api = await startApiProcess({
    API_OPERATIONS_PORT: String(operationsPort),
    DISK_MIN_FREE_BYTES: String(1_000_000_000_000),
  });
});
afterAll(() => api?.stop());

test("8: API and worker serve every metric that the alert rules and the dashboard name", async () => {
  const pages = await Promise.all([get("/metrics"), get("/metrics", `http://127.0.0.1:${operationsPort}`)]);
  const served = new Set(
    pages.flatMap(({ body }) =>
      [...String(body).matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = "", kind]) =>
        kind === "histogram" ? ["_bucket", "_sum", "_count"].map((end) => name + end) : [name],
      ),
    ),
  );
  // Prometheus makes it for each process.
  served.add("up");
  const named = new Set(monitoringExpressions().flatMap(metricsOf));
  expect([...named].filter((name) => !served.has(name))).toEqual([]);
});

test("8: metrics of an API process with a port for operators are on that port alone", async () => {
  const own = `http://127.0.0.1:${operationsPort}`;
  expect(await metric("lookout_log_max_bytes", own)).toBe(readConfig({}).durableLog.maxBytes);
  expect((await get("/readyz", own)).status).toBe(200);
  expect((await get("/metrics", api.baseUrl)).status).toBe(404);
  expect((await get("/healthz", api.baseUrl)).status).toBe(200);
});

test("8: an API process on a disk that is nearly full keeps its requests, and reports it with bytes, log line and gauge", async () => {
  const { status, body } = await get("/readyz", api.baseUrl);
  expect({ status, body }).toMatchObject({
    status: 200,
    body: {
      status: "degraded",
      disks: { data: { freeBytes: expect.any(Number) } },
      states: expect.arrayContaining([
        {
          state: "disk_low",
          of: "data",
          message: expect.stringMatching(/^on the disk of DATA_DIR [\d.]+ [GM]iB are free/),
          since: expect.any(String),
          runbook: "docs/operate/troubles.md#a-full-disk",
        },
      ]),
    },
  });
  const own = `http://127.0.0.1:${operationsPort}`;
  expect(await metric('lookout_degraded{state="disk_low",severity="warning",section="a-full-disk"}', own)).toBe(1);
  expect(await metric('lookout_degraded{state="log_full",severity="critical",section="a-full-log"}', own)).toBe(0);
  expect(Math.abs(await metric("lookout_clock_offset_seconds", own))).toBeLessThan(60);
  const lines = api.output().split("\n");
  expect(lines.filter((line) => line.includes('"state":"disk_low"'))).toHaveLength(1);
});
