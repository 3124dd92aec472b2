import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { QuestdbReader } from "../../src/store/questdb/questdbReader.ts";
import { type TableName, tableNames } from "../../src/store/questdb/tables.ts";
import { chrome } from "../kit/calls/linkCalls.ts";
import { send } from "../kit/calls/request.ts";
import { pageView } from "../kit/load/pageView.ts";
import { startDoubledLoad } from "../kit/scale/doubledLoad.ts";
import { settledReplicas } from "../kit/scale/replicaRows.ts";
import { type ScaleFixture, startScaleFixture } from "../kit/scale/scaleFixture.ts";
import { postJson } from "../kit/stack/owner.ts";
import { makeNamespace } from "../kit/stack/workerProcess.ts";
import { inDatabase } from "../kit/stores/inDatabase.ts";

const dayMs = 86_400_000;
const movingTimeoutMs = 400_000;

let fixture: ScaleFixture;
let namespace: Awaited<ReturnType<typeof makeNamespace>>;

beforeAll(async () => {
  namespace = await makeNamespace(inject("lookout").temporalAddress);
  const own = {
    TEMPORAL_NAMESPACE: namespace.namespace,
    UPTIME_ALLOW_CIDRS: "127.0.0.0/8",
    // A move waits as long before it erases.
    QUESTDB_QUERY_TIMEOUT_MS: "10000",
  };
  fixture = await startScaleFixture(own, { shards: 2, replicas: 1, workers: 1 });
}, 400_000);

afterAll(async () => {
  await fixture?.remove();
  await namespace?.remove();
}, 120_000);

/** What `npm run move` does, with its output so far. */
function startMove(...args: readonly string[]) {
  const child = spawn(process.execPath, ["src/main/commands/moveOrganization.ts", ...args], {
    env: { ...process.env, ...fixture.stack.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      console.log(`[move] ${text.trim()}`);
    });
  const ended = once(child, "close").then(([code]) => ({ code: Number(code), output }));
  return { ended, output: () => output, stop: () => child.kill() };
}

async function onShard<T>(shard: string, read: (reader: QuestdbReader) => Promise<T>): Promise<T> {
  const replica = fixture.stack.replicas.find((each) => each.shard === shard);
  const [api] = fixture.stack.apis;
  if (replica === undefined || api === undefined) throw new Error(`There is no shard ${shard}`);
  const reader = new QuestdbReader({ ...api.questdb, http: replica.http, pg: replica.pg });
  try {
    return await read(reader);
  } finally {
    await reader.close();
  }
}

/** How many rows of the organization each table of a shard has; tables without any are left out. */
async function countsOn(shard: string): Promise<Partial<Record<TableName, number>>> {
  const { websiteId, organizationId } = fixture.owner;
  return await onShard(shard, async (reader) => {
    const counted = tableNames.map(async (table) => {
      const ofNone = table === "link_clicks" || table === "llm_calls" ? "OR organization_id = $2" : "AND '' != $2";
      const sql = `SELECT count() n FROM ${table} WHERE website_id = $1 ${ofNone}`;
      const [row] = await reader.read(sql, [websiteId, organizationId]);
      return [table, Number(row?.["n"])] as const;
    });
    return Object.fromEntries((await Promise.all(counted)).filter(([, rows]) => rows > 0));
  });
}

const dayOf = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 10);

/** Of this day the events are erased during the move. */
const erasedMs = Date.now() - 20 * dayMs;

/** The events of days before, and their sessions, with all columns. */
async function oldRowsOn(shard: string): Promise<unknown> {
  const days = `ts < '${dayOf(Date.now())}' AND NOT (ts >= '${dayOf(erasedMs)}' AND ts < '${dayOf(erasedMs + dayMs)}')`;
  return await onShard(shard, (reader) =>
    Promise.all(
      ["events", "sessions"].map((table) =>
        reader.read(`SELECT * FROM ${table} WHERE ${days} AND website_id = $1 ORDER BY ts`, [fixture.owner.websiteId]),
      ),
    ),
  );
}

/** Asks an API for the page views of the last days, one question after the other. */
function startAsking(baseUrl: string) {
  const { owner } = fixture;
  const stopping = new AbortController();
  const answers: number[] = [];
  let longestMs = 0;
  const body = {
    startDate: dayOf(Date.now() - 10 * dayMs),
    endDate: dayOf(Date.now() + dayMs),
    parameters: ["summary_metrics"],
  };
  const asking = (async () => {
    while (!stopping.signal.aborted) {
      const startedMs = performance.now();
      const answer = await postJson<{ data: { data: { pageviews: number }[] }[] }>(
        { ...owner, baseUrl },
        `/v1/query?website_id=${owner.websiteId}`,
        body,
      );
      longestMs = Math.max(longestMs, performance.now() - startedMs);
      answers.push(Number(answer.data[0]?.data[0]?.pageviews));
      await pause(100);
    }
  })();
  asking.catch(() => undefined);
  return {
    async stop() {
      stopping.abort();
      await asking;
      return { answers, longestMs };
    },
  };
}

const urls = () =>
  fixture.stack.apis.map(({ server }) => `http://127.0.0.1:${server.port}/batch?client_id=${fixture.owner.websiteId}`);

async function sendViews(events: readonly { readonly eventId: string; readonly timestamp: number }[]): Promise<void> {
  await postJson(
    fixture.owner,
    `/batch?website_id=${fixture.owner.websiteId}`,
    events.map((event) => pageView({ ...event, loadTime: 12 })),
  );
}

/** kill -9 of the worker, and another one in its place. */
async function replaceWorker(): Promise<void> {
  await fixture.stack.kill("worker-1");
  await pause(2_000);
  await fixture.stack.restart("worker-1");
}

/** Asks for the erasure of a day, and returns the id of the deletion. */
async function eraseDay(timeMs: number): Promise<string> {
  const { websiteId, apiKey, baseUrl } = fixture.owner;
  const body = { start_date: dayOf(timeMs), end_date: dayOf(timeMs), data_types: ["events"] };
  const answer = await send("DELETE", `/v1/websites/${websiteId}/data`, { body, apiKey, baseUrl });
  expect(answer.body).toMatchObject({ success: true, deleted: { events: 1 } });
  return (answer.body as { deletion_id: string }).deletion_id;
}

async function receiptOf(deletionId: string): Promise<unknown> {
  const { apiKey, baseUrl } = fixture.owner;
  const answer = await send("GET", `/v1/deletions/${deletionId}`, { apiKey, baseUrl });
  return (answer.body as { receipt: unknown }).receipt;
}

async function placement(): Promise<unknown> {
  const found = await inDatabase(
    (database) =>
      database.query("SELECT shard, moving_to, moving_state FROM placements WHERE organization_id = $1", [
        fixture.owner.organizationId,
      ]),
    fixture.stack.env["DATABASE_URL"],
  );
  return found.rows[0];
}

test.each([
  [["--to", "s2"], "Usage: npm run move"],
  [["--organization", "Nobody at all", "--to", "s2"], "There is no organization"],
  [["--organization", "{id}", "--to", "s3"], 'There is no shard "s3". There are: s1, s2'],
  [["--organization", "{id}", "--to", "s1"], "is on s1 already. Nothing was changed."],
  [["--organization", "{id}", "--cancel"], "is not moving. Nothing was changed."],
])("npm run move -- %s says what is wrong", async (args, message) => {
  const given = args.map((each) => each.replace("{id}", fixture.owner.organizationId));
  expect(await startMove(...given).ended).toEqual({ code: 2, output: expect.stringContaining(message) });
});

test("an organization moves to another shard under load: no answer falls, no event is lost or doubled, and nothing is left on the old one", async () => {
  const { stack, owner } = fixture;
  const nowMs = Date.now();
  const known = Array.from({ length: 20 }, () => randomUUID());
  const old = [2, 3, 40].map((days) => ({ eventId: randomUUID(), timestamp: nowMs - days * dayMs }));
  const erased = { eventId: randomUUID(), timestamp: erasedMs };
  await sendViews([erased, ...old, ...known.map((eventId) => ({ eventId, timestamp: nowMs }))]);
  const link = await postJson<{ slug: string }>(owner, "/links/create", { targetUrl: "https://target.example/page" });
  const follow = () =>
    fetch(`${owner.baseUrl}/l/${link.slug}`, { redirect: "manual", headers: { "user-agent": chrome } });
  expect((await follow()).status).toBe(302);
  await postJson(owner, "/uptime/monitors/create", {
    websiteId: owner.websiteId,
    url: `${stack.url}/healthz`,
    name: "Self",
    interval: "1m",
  });
  await namespace.client.schedule.getHandle("correction").trigger();
  await expect.poll(async () => (await countsOn("s1")).sessions ?? 0).toBeGreaterThan(2);
  await expect.poll(async () => (await countsOn("s1")).uptime_checks ?? 0).toBeGreaterThan(0);
  const oldRows = await oldRowsOn("s1");

  const load = startDoubledLoad(urls(), 1);
  const askers = stack.apis.map(({ server }) => startAsking(`http://127.0.0.1:${server.port}`));
  const move = startMove("--organization", owner.organizationId, "--to", "s2");
  let answered: Awaited<ReturnType<(typeof askers)[number]["stop"]>>[] = [];
  try {
    await poll(move.output, "comparing the shards");
    await replaceWorker();
    const deletionId = await eraseDay(erasedMs);
    // They come again with other times, while their rows are copied and when their shard is another one.
    await sendViews(known.slice(0, 10).map((eventId) => ({ eventId, timestamp: nowMs + 60_000 })));
    const early = await Promise.race([move.ended, poll(move.output, "erasing on the old shard")]);
    expect(early).toBe("found");
    await replaceWorker();
    await sendViews(known.slice(10).map((eventId) => ({ eventId, timestamp: nowMs + 60_000 })));
    expect((await follow()).status).toBe(302);
    const { code, output } = await move.ended;
    expect(code, output).toBe(0);
    expect(output).toMatch(/Receipt: rows removed from s1 \(s1\/a\), of \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d:/);
    expect(output).toMatch(/^ {2}events +\d+ removed, 0 left$/m);
    expect(output).toMatch(/^ {2}sessions +\d+ removed, 0 left$/m);
    await expect.poll(() => receiptOf(deletionId), { timeout: 200_000 }).not.toBeNull();
  } finally {
    move.stop();
    answered = await Promise.all(askers.map((asker) => asker.stop()));
    await load.stop();
  }
  const { answers: first = [] } = answered[0] ?? {};
  console.log(
    JSON.stringify({
      acknowledged: load.acknowledged.size,
      failures: [...load.failures],
      asked: answered.map(({ answers, longestMs }) => [answers.length, Math.round(longestMs)]),
    }),
  );
  expect(first.length).toBeGreaterThan(10);
  for (const { answers } of answered) expect(answers).toEqual(answers.toSorted((one, other) => one - other));

  const expected = load.acknowledged.size + known.length + old.length;
  const [api] = stack.apis;
  const onNew = stack.replicas.filter(({ shard }) => shard === "s2");
  if (api === undefined) throw new Error("no API runs");
  const [stored] = await settledReplicas(api.questdb, onNew, owner.websiteId, expected);
  // The timing of the erased event is none of the erased kinds of data.
  expect(stored).toMatchObject({ rows: expected, distinct: expected, metrics: expected + 1 });
  expect(await countsOn("s2")).toMatchObject({ link_clicks: 2, uptime_checks: expect.any(Number) });
  expect(await oldRowsOn("s2")).toEqual(oldRows);
  expect(await countsOn("s1")).toEqual({});
  expect(await placement()).toEqual({ shard: "s2", moving_to: null, moving_state: null });
}, 800_000);

test("a move that is cancelled before queries go over leaves everything as it was", async () => {
  const { owner } = fixture;
  const before = await countsOn("s2");
  const oldRows = await oldRowsOn("s2");
  const move = startMove("--organization", owner.organizationId, "--to", "s1");
  await poll(move.output, "comparing the shards");
  const cancelling = startMove("--organization", owner.organizationId, "--cancel");
  const [moved, cancelled] = await Promise.all([move.ended, cancelling.ended]);
  expect(cancelled).toEqual({ code: 0, output: expect.stringContaining("stays on s2; the copies are erased") });
  expect(moved).toEqual({ code: 0, output: expect.stringContaining("stays on s2; the copies are erased") });
  expect(await placement()).toEqual({ shard: "s2", moving_to: null, moving_state: null });
  expect(await countsOn("s1")).toEqual({});
  const { events, performance_metrics, link_clicks } = before;
  expect(await countsOn("s2")).toMatchObject({ events, performance_metrics, link_clicks });
  expect(await oldRowsOn("s2")).toEqual(oldRows);
}, 300_000);

async function poll(output: () => string, text: string): Promise<"found"> {
  await expect.poll(output, { timeout: movingTimeoutMs, interval: 100 }).toContain(text);
  return "found";
}
