import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { executeStatement } from "../../src/store/questdb/executeStatement.ts";
import { send } from "../kit/calls/request.ts";
import { type FaultStack, startFaultStack } from "../kit/stack/faultStack.ts";

let running: FaultStack;
let baseUrl: string;
let credentials: { websiteId: string; apiKey: string };
beforeAll(async () => {
  running = await startFaultStack(() => undefined, { CACHE_DIR: inject("lookout").cacheDir });
  const { server, stack } = running.stack.config;
  baseUrl = server.baseUrl;
  credentials = JSON.parse(await readFile(join(stack.dataDir, "credentials.json"), "utf8"));
});
afterAll(() => running.remove());

async function suspendEvents(errorTag: string): Promise<void> {
  await run(`ALTER TABLE events SUSPEND WAL WITH '${errorTag}', 'suspended by hand'`);
}

async function run(statement: string): Promise<unknown[][]> {
  const { http, queryTimeoutMs } = running.stack.config.questdb;
  return await executeStatement(http, statement, queryTimeoutMs);
}

async function sendPageView(): Promise<number> {
  const body = [{ name: "page_view", path: "/", eventId: randomUUID() }];
  const options = { baseUrl, apiKey: credentials.apiKey, body };
  return (await send("POST", `/batch?website_id=${credentials.websiteId}`, options)).status;
}

async function pageViews(): Promise<unknown> {
  const body = {
    preset: "today",
    parameters: [{ name: "summary_metrics", start_date: dayOf(-1), end_date: dayOf(1) }],
  };
  const options = { baseUrl, apiKey: credentials.apiKey, body };
  const { body: answer } = await send("POST", `/v1/query?website_id=${credentials.websiteId}`, options);
  const { data } = answer as { data: { data: { pageviews: number }[] }[] };
  return data[0]?.data[0]?.pageviews;
}

function dayOf(daysFromNow: number): string {
  return new Date(Date.now() + daysFromNow * 86_400_000).toISOString().slice(0, 10);
}

const readiness = async () => (await send("GET", "/readyz", { baseUrl })).body;

test.each([
  ["DISK FULL", "free space on QuestDB's disk"],
  ["UNSUPPORTED FILE SYSTEM", "remove the cause that QuestDB names"],
])("8: a table that QuestDB suspended (%s) is reported by /readyz, log and metric, and resumed", async (tag, todo) => {
  const before = Number(await pageViews());
  let sent = 0;
  // It is resumed within seconds, so it is suspended until that was seen once.
  await expect
    .poll(async () => {
      await suspendEvents(tag);
      expect(await sendPageView()).toBe(200);
      sent += 1;
      const metrics = (await send("GET", "/metrics", { baseUrl })).body;
      expect(metrics).toContain('lookout_questdb_table_suspended{table="events"} 1');
      return await readiness();
    })
    .toMatchObject({
      status: "degraded",
      stores: { questdb: "suspended: events" },
      states: expect.arrayContaining([expect.objectContaining({ state: "table_suspended", of: "events" })]),
    });

  await expect.poll(readiness, { timeout: 200_000 }).toMatchObject({ stores: { questdb: "ok" } });
  await expect.poll(pageViews).toBe(before + sent);
  const log = await readFile(join(running.stack.config.stack.dataDir, "logs", "api.log"), "utf8");
  const reported = log
    .split("\n")
    .filter((line) => line.includes("QuestDB has suspended a table") && line.includes(tag));
  expect(reported.length).toBeGreaterThan(0);
  expect(JSON.parse(reported[0] ?? "")).toMatchObject({
    table: "events",
    reason: "suspended by hand",
    errorTag: tag,
    todo: expect.stringContaining(todo),
  });
});

test("8: the indexes of a table that was suspended are built again, since a failed transaction may have left rows in them", async () => {
  const indexed = async () =>
    (await run("SELECT \"column\" FROM table_columns('events') WHERE indexed = true")).map(([name]) => name);
  expect(await indexed()).toEqual(["website_id"]);
  await run("ALTER TABLE events ALTER COLUMN website_id DROP INDEX");
  await expect.poll(indexed).toEqual([]);
  await suspendEvents("DISK FULL");
  await expect.poll(indexed).toEqual(["website_id"]);
  await expect.poll(readiness).toMatchObject({ stores: { questdb: "ok" } });
});

test("8: nothing is changed in a suspended table while its disk is full, and it is resumed once there is room", async (context) => {
  const { disk } = running;
  if (disk === undefined) context.skip("this user may not mount a file system to fill");
  const committed = async () => (await run("SELECT sequencerTxn FROM wal_tables() WHERE name = 'events'"))[0]?.[0];
  // Longer than it takes until the first two attempts of a table whose disk has room.
  const changed = async () => {
    const before = await committed();
    await pause(5_000);
    return (await committed()) !== before;
  };
  // The test before may have made another process build the indexes too.
  await expect.poll(changed, { timeout: 200_000 }).toBe(false);
  disk?.fill(32 << 20);
  try {
    await suspendEvents("DISK FULL");
    expect(await changed()).toBe(false);
    expect(await readiness()).toMatchObject({ stores: { questdb: "suspended: events" } });
  } finally {
    disk?.free();
  }
  await expect.poll(readiness, { timeout: 200_000 }).toMatchObject({ stores: { questdb: "ok" } });
});
