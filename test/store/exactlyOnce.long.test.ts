import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, expect, inject, test } from "vitest";
import { deleteOldClaims } from "../../src/store/write/claimExpiry.ts";
import { EventClaims } from "../../src/store/write/eventClaims.ts";
import { createWebsite } from "../kit/calls/website.ts";
import { eventRow } from "../kit/random/eventRow.ts";
import { noonDaysAgo } from "../kit/stores/noonDaysAgo.ts";
import { storedRows } from "../kit/stores/storedRows.ts";

const log = pino({ level: "silent" });
let database: pg.Pool;
beforeAll(() => {
  database = new pg.Pool({ connectionString: inject("lookout").databaseUrl, max: 2 });
});
afterAll(() => database.end());

const processes: ChildProcess[] = [];
const directories: string[] = [];
afterEach(async () => {
  for (const child of processes.splice(0)) await kill(child);
  for (const directory of directories.splice(0)) await rm(directory, { recursive: true, force: true });
});

/** A further API process on the stores of all tests. */
async function startApi(): Promise<{ url: string; child: ChildProcess }> {
  const { questdbHttp, questdbPg, databaseUrl, temporalAddress } = inject("lookout");
  const directory = await mkdtemp(join(tmpdir(), "lookout-once-"));
  directories.push(directory);
  const child = fork(fileURLToPath(new URL("../../src/main/api.ts", import.meta.url)), {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    env: {
      PATH: process.env["PATH"],
      DATA_DIR: directory,
      PORT: "0",
      LOG_LEVEL: "fatal",
      QUESTDB_HTTP: questdbHttp,
      QUESTDB_PG: questdbPg,
      DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: temporalAddress,
    },
  });
  processes.push(child);
  const [message]: [{ ready: { port: number } }] = await readyMessage(child);
  return { url: `http://127.0.0.1:${message.ready.port}`, child };
}

async function readyMessage(child: ChildProcess): Promise<[{ ready: { port: number } }]> {
  const [message] = await once(child, "message");
  return [message];
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

async function post(url: string, body: unknown, apiKey?: string): Promise<unknown> {
  const headers = { "content-type": "application/json", ...(apiKey === undefined ? {} : { "x-api-key": apiKey }) };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  expect(response.status).toBe(200);
  return response.json();
}

const startMs = noonDaysAgo(3);

function tracked(eventId: string, timestamp: number) {
  return { name: "signup", eventId, timestamp };
}

test("8: an id counts once within a batch, across batches, paths, processes and a restart, whatever its time", async () => {
  const { websiteId, apiKey } = await createWebsite();
  const [first, second] = await Promise.all([startApi(), startApi()]);
  const eventId = randomUUID();
  const batchPath = `/track?website_id=${websiteId}`;
  await post(`${first.url}${batchPath}`, [tracked(eventId, startMs), tracked(eventId, startMs + 1)], apiKey);
  await post(`${first.url}${batchPath}`, [tracked(eventId, startMs + 2)], apiKey);
  // Between processes the one that stores it first decides, which need not be the one that accepted it first.
  await storedRows("events", websiteId, 1);
  await post(`${second.url}${batchPath}`, [tracked(eventId, startMs + 90_000_000)], apiKey);
  await post(`${second.url}/?website_id=${websiteId}`, tracked(eventId, startMs + 4));
  await kill(first.child);
  const third = await startApi();
  await post(`${third.url}${batchPath}`, [tracked(eventId, startMs + 5), tracked("last", startMs)], apiKey);
  const rows = await storedRows("events", websiteId, 2);
  expect(rows.map((row) => [row["event_id"], row["ts"]]).sort()).toEqual(
    [
      [eventId, startMs],
      ["last", startMs],
    ].sort(),
  );
});

test("8: two processes that get the same ids at the same time store each once", async () => {
  const { websiteId, apiKey } = await createWebsite();
  const [first, second] = await Promise.all([startApi(), startApi()]);
  const ids = Array.from({ length: 400 }, () => randomUUID());
  const sends = Array.from({ length: 8 }, (_, round) => {
    const order = round % 2 === 0 ? ids : ids.toReversed();
    const url = `${round % 4 < 2 ? first.url : second.url}/track?website_id=${websiteId}`;
    return Promise.all(
      Array.from({ length: 4 }, (_, part) =>
        post(
          url,
          order.slice(part * 100, part * 100 + 100).map((id) => tracked(id, startMs + round)),
          apiKey,
        ),
      ),
    );
  });
  await Promise.all(sends);
  const rows = await storedRows("events", websiteId, 400);
  expect(new Set(rows.map((row) => row["event_id"])).size).toBe(400);
});

test("8: all rows of an event move to the time that was claimed first", async () => {
  const claims = new EventClaims(inject("lookout").databaseUrl, 5_000, log);
  const websiteId = randomUUID();
  const key = Math.floor(Math.random() * 2 ** 50);
  const first = eventRow(websiteId, key, { tsUs: 1_000, claimCheck: -7 });
  expect(await claims.claim([first, eventRow(websiteId, key, { tsUs: 5_000, claimCheck: -7 })])).toEqual([
    first,
    { ...first, tsUs: 1_000 },
  ]);
  const again = eventRow(websiteId, key, { tsUs: 2_000, claimCheck: -7 });
  const metric = {
    table: "performance_metrics" as const,
    tsUs: 2_000,
    values: { website_id: websiteId, event_key: key, metric_type: "TTFB", value: 1 },
    claimCheck: -7,
  };
  const sameKeyOtherId = eventRow(websiteId, key, { tsUs: 3_000, claimCheck: 8 });
  const withoutId = eventRow(websiteId, key, { tsUs: 4_000 });
  const rows = await claims.claim([again, metric, sameKeyOtherId, withoutId]);
  expect(rows.map(({ tsUs }) => tsUs)).toEqual([1_000, 1_000, 3_000, 4_000]);
  await claims.close();
});

test("8: after 24 hours an id may be claimed again, and old claims are deleted", async () => {
  const claims = new EventClaims(inject("lookout").databaseUrl, 5_000, log);
  const keys = [1, 2, 3].map(() => Math.floor(Math.random() * 2 ** 50));
  const rows = (tsUs: number) => keys.map((key) => eventRow("w", key, { tsUs, claimCheck: 1 }));
  await claims.claim(rows(1_000));
  await database.query(
    "UPDATE event_claims SET claimed_at = now() - interval '24 hours 1 second' WHERE event_key = ANY ($1)",
    [keys.slice(0, 2)],
  );
  const [renewed, ...others] = await claims.claim(rows(2_000).filter((_, index) => index !== 1));
  expect([renewed?.tsUs, ...others.map(({ tsUs }) => tsUs)]).toEqual([2_000, 1_000]);
  const stop = new AbortController();
  const cleaning = deleteOldClaims(database, log, stop.signal);
  await expect
    .poll(async () => {
      const left = await database.query("SELECT event_key FROM event_claims WHERE event_key = ANY ($1)", [keys]);
      return left.rows.map((row: { event_key: string }) => Number(row.event_key)).sort();
    })
    .toEqual([keys[0], keys[2]].sort());
  stop.abort();
  await cleaning;
  await claims.close();
});
