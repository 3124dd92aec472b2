import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { QueryService } from "../../src/gen/lookout/v1/query_pb.ts";
import { execRequest } from "../../src/store/questdb/execRequest.ts";
import { type Stack, startStack } from "../../stack/stack.ts";
import { send } from "../kit/calls/request.ts";
import { type FailingMaps, failingMaps } from "../kit/faults/failingMaps.ts";
import { isApplied, sql } from "../kit/stores/eventStore.ts";

/** A read of all days needs some 9,300 files: one fits below seven eighths of the limit beside what an idle QuestDB has mapped, two do not. */
const days = 150;
const limit = 16_000;

let dataDir: string;
let maps: FailingMaps | undefined;
let stack: Stack;
let websiteId: string;
let apiKey: string;

beforeAll(async () => {
  // .ci/run lists failed mappings, but not of directories of this name.
  dataDir = await mkdtemp(join(tmpdir(), "lookout-failing-"));
  // PostgreSQL may run as another user, who has to pass.
  await chmod(dataDir, 0o711);
  maps = await failingMaps(1);
  const config = readConfig({
    ...process.env,
    ...maps?.env,
    DATA_DIR: dataDir,
    CACHE_DIR: inject("lookout").cacheDir,
    PORT: "0",
    BASE_URL: undefined,
    LOG_LEVEL: "warn",
    QUESTDB_MAX_MAPS: String(limit),
    // As npm start sets it where Linux allows few mapped files.
    QDB_CAIRO_INACTIVE_READER_TTL: "5000",
    // Lets a table be suspended by hand.
    QDB_DEV_MODE_ENABLED: "true",
  });
  const parts = ["questdb", "postgres", "api"] as const;
  stack = await startStack({ config, log: () => undefined, parts, preferUsualPorts: false });
  ({ websiteId, apiKey } = JSON.parse(await readFile(join(dataDir, "credentials.json"), "utf8")));
  const { http } = stack.config.questdb;
  await sql(
    http,
    `INSERT INTO events (ts, website_id, event_key, event_type, name, visitor_key, session_key, path)
     SELECT dateadd('d', (x - ${days})::int, now()), '${websiteId}', x, 'page_view', 'page_view', x, x, '/' FROM long_sequence(${days})`,
  );
  await isApplied(http);
});

afterAll(async () => {
  await stack?.stop();
  await maps?.remove();
  await rm(dataDir, { recursive: true, force: true });
});

const call = (verb: string, path: string, body?: unknown) =>
  send(verb, path, { baseUrl: stack.config.server.baseUrl, apiKey, ...(body === undefined ? {} : { body }) });

/** The days before and after today are within it, whatever the time of the test. */
function query(lastDays: number) {
  const dayOf = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
  return { startDate: dayOf(-lastDays), endDate: dayOf(1), parameters: [{ name: "top_pages" }] };
}

const ask = (lastDays: number) => call("POST", `/v1/query?website_id=${websiteId}`, query(lastDays));

async function pageViews(lastDays: number): Promise<unknown> {
  const { body } = await ask(lastDays);
  return (body as { data?: { data?: { pageviews?: number }[] }[] }).data?.[0]?.data?.[0]?.pageviews;
}

const sendPageView = () =>
  call("POST", `/batch?website_id=${websiteId}`, [{ name: "page_view", path: "/", eventId: randomUUID() }]);

const readiness = async () => (await call("GET", "/readyz")).body as { status: string; states: { state: string }[] };

/** Temporal is not part of this stack, so that there are others. */
const stateNames = async () => (await readiness()).states.map(({ state }) => state);

async function metric(name: string): Promise<number | undefined> {
  const { body } = await call("GET", "/metrics");
  const line = String(body)
    .split("\n")
    .find((each) => each.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length));
}

/** A read of all days that is not read to its end, so that QuestDB keeps their files mapped. */
async function holdAllDays(): Promise<() => void> {
  const statement = "SELECT t.* FROM (SELECT * FROM events ORDER BY path, ts) t CROSS JOIN long_sequence(100000000)";
  const { url, headers } = execRequest(stack.config.questdb.http, statement);
  url.pathname = "/exp";
  const request = get(url, { headers, agent: false });
  request.on("error", () => undefined);
  const [response]: IncomingMessage[] = await once(request, "response");
  expect(response?.statusCode).toBe(200);
  return () => request.destroy();
}

test("7: queries over long ranges are answered 503 before QuestDB reaches its limit of mapped files, short ones and events go on, and it ends", {
  timeout: 300_000,
}, async () => {
  await expect.poll(() => pageViews(days), { timeout: 200_000 }).toBe(days);
  const release = await holdAllDays();
  await expect.poll(() => metric("lookout_questdb_maps"), { timeout: 200_000 }).toBeGreaterThan(days * 40);
  expect(await metric("lookout_questdb_map_limit")).toBe(limit);

  // At the same time, since both wait for room before they are refused.
  const client = createClient(QueryService, createGrpcTransport({ baseUrl: stack.config.server.baseUrl }));
  const [refused, refusal] = await Promise.all([
    ask(days),
    client
      .query({ websiteId, query: query(days) }, { headers: { authorization: `Bearer ${apiKey}` } })
      .then(() => undefined, ConnectError.from),
  ]);
  expect(refused).toMatchObject({
    status: 503,
    body: { code: "SERVICE_UNAVAILABLE", error: expect.stringContaining("ask for a shorter range") },
  });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(refusal?.code).toBe(Code.Unavailable);
  expect(Number(refusal?.metadata.get("retry-after"))).toBeGreaterThan(0);

  expect(await pageViews(7)).toBe(8);
  expect((await sendPageView()).status).toBe(200);
  await expect.poll(() => pageViews(7), { timeout: 200_000 }).toBe(9);
  await expect.poll(readiness, { timeout: 200_000 }).toMatchObject({
    status: "degraded",
    states: expect.arrayContaining([
      expect.objectContaining({ state: "maps_low", runbook: expect.stringContaining("long-ranges") }),
    ]),
    questdbMaps: [{ mapped: expect.any(Number), limit }],
  });
  expect(
    await metric(
      'lookout_degraded{state="maps_low",severity="warning",section="queries-over-long-ranges-are-refused"}',
    ),
  ).toBe(1);
  expect(await metric("lookout_questdb_reads_refused_total")).toBe(2);
  expect(await metric('lookout_questdb_failed_mappings_total{cause="select"}')).toBe(0);

  release();
  await expect.poll(() => pageViews(days), { timeout: 200_000 }).toBe(days + 1);
  await expect.poll(stateNames, { timeout: 200_000 }).not.toContain("maps_low");
});

test("8: each mapping that fails is logged and counted with what QuestDB was doing, and answers are whole again afterwards", {
  timeout: 300_000,
}, async (context) => {
  const failing = maps ?? context.skip("there is no C compiler to make mappings fail with");
  const before = Number(await pageViews(days));
  await failing.begin();
  // Until QuestDB has closed idle readers, they have the files mapped that the query needs.
  const options = { timeout: 200_000, interval: 10_000 };
  await expect.poll(() => ask(7), options).toMatchObject({ status: 503, body: { code: "SERVICE_UNAVAILABLE" } });
  expect((await sendPageView()).status).toBe(200);
  await expect
    .poll(() => metric('lookout_questdb_failed_mappings_total{cause="write"}'), { timeout: 200_000 })
    .toBeGreaterThan(0);
  expect(await stateNames()).toContain("maps_low");
  await failing.end();

  await expect.poll(() => pageViews(days), { timeout: 200_000 }).toBe(before + 1);
  await expect.poll(stateNames, { timeout: 200_000 }).not.toContain("maps_low");
  const applied = Number(await metric('lookout_questdb_failed_mappings_total{cause="apply"}'));
  const reason = "could not remap file [previousSize=1, newSize=2]";
  await sql(stack.config.questdb.http, `ALTER TABLE events SUSPEND WAL WITH 'OUT OF MMAP AREAS', '${reason}'`);
  await expect
    .poll(() => metric('lookout_questdb_failed_mappings_total{cause="apply"}'), { timeout: 200_000 })
    .toBe(applied + 1);
  await expect.poll(readiness, { timeout: 200_000 }).toMatchObject({ stores: { questdb: "ok" } });
  const log = await readFile(join(dataDir, "logs", "api.log"), "utf8");
  for (const cause of ["select", "write", "apply"]) {
    const lines = log
      .split("\n")
      .filter((line) => line.includes("could not map") && line.includes(`"cause":"${cause}"`));
    expect(lines.length).toBe(await metric(`lookout_questdb_failed_mappings_total{cause="${cause}"}`));
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ reason: expect.stringMatching(/^could not (mmap|remap)/) });
  }
});
