import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { FileLog } from "../../src/durableLog/fileLog.ts";
import { createMetrics } from "../../src/observability/metrics.ts";
import { DeadLetters } from "../../src/store/write/deadLetters.ts";
import type { CommitPath } from "../../src/store/write/rowCommitter.ts";
import { RowLog } from "../../src/store/write/rowLog.ts";
import { eventRow } from "../kit/random/eventRow.ts";
import { createGate, type Gate } from "../kit/servers/gate.ts";
import { storedRows } from "../kit/stores/storedRows.ts";

const log = pino({ level: "silent" });
let directory: string;
let gate: Gate;
const writers: RowLog[] = [];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "lookout-writer-"));
  gate = await createGate(Number(new URL(inject("lookout").questdbHttp).port));
});
afterEach(async () => {
  for (const writer of writers.splice(0)) await writer.close();
  await gate.shut();
  await rm(directory, { recursive: true, force: true });
});

async function createWriter(options: CommitPath & { maxBytes?: number; root?: string } = {}) {
  const questdbHttp = new URL(inject("lookout").questdbHttp);
  questdbHttp.port = String(gate.port);
  const questdb = { ...readConfig({ QUESTDB_HTTP: questdbHttp.href }).questdb, commitTimeoutMs: 1_000 };
  const metrics = createMetrics();
  const root = options.root ?? directory;
  const settings = { directory: root, maxBytes: options.maxBytes ?? 10_000_000, fsync: true };
  const files = await FileLog.open(settings, metrics, log);
  const deadLettersPath = join(root, "dead-letters.jsonl");
  const deadLetters = new DeadLetters(deadLettersPath, metrics, log);
  const writer = new RowLog(questdb, metrics, log, { ...options, files, deadLetters });
  writers.push(writer);
  return { writer, files, metrics, deadLettersPath };
}

async function close(writer: RowLog): Promise<void> {
  writers.splice(writers.indexOf(writer), 1);
  await writer.close();
}

const keysTo = (count: number) => Array.from({ length: count }, (_, key) => key);

test("8: while QuestDB is unavailable writes are kept, and stored in order when it is back", async () => {
  const seen: number[] = [];
  let isBack = false;
  const { writer, files, metrics } = await createWriter({
    steps: [
      async (rows) => {
        if (isBack) seen.push(...rows.map((row) => ("event_key" in row.values ? (row.values.event_key ?? -1) : -1)));
        return rows;
      },
    ],
  });
  const websiteId = randomUUID();
  await gate.shut();
  for (const key of keysTo(5)) await writer.write([eventRow(websiteId, key)]);
  await Promise.all([5, 6, 7].map((key) => writer.write([eventRow(websiteId, key)])));
  expect(files.isEmpty).toBe(false);
  expect((await metrics.logRecords.get()).values[0]?.value).toBe(8);
  expect((await metrics.logOldestSeconds.get()).values[0]?.value).toBeGreaterThan(1.7e9);
  isBack = true;
  await gate.open();
  await writer.write([eventRow(websiteId, 8)]);
  expect((await storedRows("events", websiteId, 9)).map((row) => row["event_key"])).toEqual(keysTo(9));
  await expect.poll(() => files.isEmpty).toBe(true);
  // An attempt that failed is repeated, so a key may come twice, but never out of order.
  expect([...new Set(seen)]).toEqual(keysTo(9));
  await expect.poll(async () => (await metrics.logRecords.get()).values[0]?.value).toBe(0);
  expect((await metrics.logOldestSeconds.get()).values[0]?.value).toBe(0);
});

test("8: a QuestDB that accepts requests and never answers delays no write", async () => {
  const { writer } = await createWriter();
  const websiteId = randomUUID();
  await gate.hang();
  await Promise.all(keysTo(20).map((key) => writer.write([eventRow(websiteId, key)])));
  await gate.open();
  await storedRows("events", websiteId, 20);
});

test("8: rows wait for tables that are not prepared yet", async () => {
  let tablesAreReady = false;
  const { writer } = await createWriter({ isReady: () => tablesAreReady });
  const websiteId = randomUUID();
  await writer.write([eventRow(websiteId, 1)]);
  tablesAreReady = true;
  await storedRows("events", websiteId, 1);
});

test("8: a step that fails, as while PostgreSQL is unavailable, delays rows, and what follows a commit sees them once", async () => {
  let isDown = true;
  const committed: number[] = [];
  const { writer, files } = await createWriter({
    steps: [
      async (rows) => {
        if (isDown) throw new Error("down");
        return rows.map((row) => ({ ...row, tsUs: row.tsUs + 1_000_000 }));
      },
    ],
    afterCommit: [(rows) => committed.push(...rows.map((row) => row.tsUs))],
  });
  const websiteId = randomUUID();
  const row = eventRow(websiteId, 1);
  await writer.write([row]);
  isDown = false;
  const [stored] = await storedRows("events", websiteId, 1);
  expect(stored?.["ts"]).toBe(Math.floor((row.tsUs + 1_000_000) / 1_000));
  await expect.poll(() => files.isEmpty).toBe(true);
  expect(committed).toEqual([row.tsUs + 1_000_000]);
});

test("8: rows that QuestDB refuses become dead letters with the reason and do not stop the others", async () => {
  const { writer, files, metrics, deadLettersPath } = await createWriter();
  const websiteId = randomUUID();
  await gate.shut();
  const bad = eventRow(websiteId, 40, { tsUs: -1 });
  await writer.write([...keysTo(10).map((key) => eventRow(websiteId, key)), bad]);
  await writer.write([eventRow(websiteId, 10)]);
  await gate.open();
  await storedRows("events", websiteId, 11);
  await expect.poll(() => files.isEmpty).toBe(true);
  const lines = (await readFile(deadLettersPath, "utf8")).trim().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      reason: "HTTP 400",
      row: { table: "events", tsUs: -1, values: { website_id: websiteId, event_key: 40 }, fields: expect.any(String) },
    },
  ]);
  expect((await metrics.deadLetters.get()).values[0]?.value).toBe(1);
});

test("7: over the log's limit writes are answered SERVICE_UNAVAILABLE, kept rows are stored, and then there is room again", async () => {
  const { writer, files } = await createWriter({ maxBytes: 20_000 });
  const websiteId = randomUUID();
  await gate.shut();
  const outcomes = await Promise.allSettled(
    keysTo(40).map((key) => writer.write([eventRow(websiteId, key, { title: "x".repeat(900) })])),
  );
  const kept = outcomes.flatMap(({ status }, key) => (status === "fulfilled" ? key : []));
  expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { problem: { kind: "log_full" } },
  });
  expect(files.state).toBe("full");
  await gate.open();
  expect((await storedRows("events", websiteId, kept.length)).map((row) => row["event_key"])).toEqual(kept);
  await expect.poll(() => files.state).toBe("ok");
  await writer.write([eventRow(websiteId, 99)]);
});

test("7: on a full disk writes are answered SERVICE_UNAVAILABLE and no kept row is damaged", async ({ skip }) => {
  const root = join(directory, "small");
  await mkdir(root);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", root], { stdio: "ignore" });
  } catch {
    skip("mounting a small disk needs rights that are missing here");
  }
  try {
    const { writer, files, metrics } = await createWriter({ root });
    const websiteId = randomUUID();
    await gate.shut();
    const outcomes: PromiseSettledResult<void>[] = [];
    for (let round = 0; round < 10; round += 1) {
      const keys = keysTo(10).map((key) => round * 10 + key);
      const writes = keys.map((key) => writer.write([eventRow(websiteId, key, { title: "x".repeat(900) })]));
      outcomes.push(...(await Promise.allSettled(writes)));
    }
    const kept = outcomes.flatMap(({ status }, key) => (status === "fulfilled" ? key : []));
    expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { problem: { kind: "log_unwritable" } },
    });
    expect(kept.length).toBeGreaterThan(30);
    expect(files.state).toBe("full");
    await gate.open();
    expect((await storedRows("events", websiteId, kept.length)).map((row) => row["event_key"])).toEqual(kept);
    expect((await metrics.logDamagedBytes.get()).values[0]?.value).toBe(0);
    await writer.write([eventRow(websiteId, 999)]);
    await expect.poll(() => files.state).toBe("ok");
    await close(writer);
  } finally {
    execFileSync("umount", ["-l", root]);
  }
});

test("8: rows of concurrent requests share commits, each is stored once, and a stop stores accepted rows", async () => {
  const { writer, metrics } = await createWriter();
  const websiteId = randomUUID();
  const requests = keysTo(50).map((request) =>
    writer.write(keysTo(20).map((row) => eventRow(websiteId, request * 20 + row))),
  );
  await Promise.all(requests);
  await close(writer);
  expect((await storedRows("events", websiteId, 1_000)).map((row) => row["event_key"])).toEqual(keysTo(1_000));
  const commits = (await metrics.commitSeconds.get()).values.find(({ metricName }) => metricName?.endsWith("_count"));
  expect(commits?.value).toBeLessThan(5);
});

test("8: an event answered with 503 is not stored, whatever QuestDB does meanwhile", async () => {
  const { writer } = await createWriter({ maxBytes: 5_000 });
  const websiteId = randomUUID();
  await gate.hang();
  const outcomes = await Promise.allSettled(
    keysTo(20).map((key) => writer.write([eventRow(websiteId, key, { title: "x".repeat(400) })])),
  );
  const kept = outcomes.flatMap(({ status }, key) => (status === "fulfilled" ? key : []));
  expect(kept.length).toBeLessThan(20);
  await gate.open();
  expect((await storedRows("events", websiteId, kept.length)).map((row) => row["event_key"])).toEqual(kept);
});

test("8: rows that the log refuses can be stored from memory, as clicks are, up to a limit", async () => {
  const { writer } = await createWriter({ maxBytes: 4_096 });
  const websiteId = randomUUID();
  await gate.shut();
  const title = "x".repeat(3_000);
  await writer.write([eventRow(websiteId, 1, { title })]);
  await expect(writer.write([eventRow(websiteId, 2, { title })])).rejects.toMatchObject({
    problem: { kind: "log_full" },
  });
  expect(writer.tryUnlogged([eventRow(websiteId, 2)])).toBe(true);
  expect(writer.tryUnlogged(keysTo(5_000).map((key) => eventRow(websiteId, key)))).toBe(false);
  await gate.open();
  await storedRows("events", websiteId, 2);
});

test("8: a stop keeps waiting rows, the next process stores them", async () => {
  const { writer } = await createWriter();
  const websiteId = randomUUID();
  await gate.shut();
  const waiting = keysTo(10).map((key) => writer.write([eventRow(websiteId, key)]));
  await close(writer);
  await Promise.all(waiting);
  await gate.open();
  await createWriter();
  await storedRows("events", websiteId, 10);
});
