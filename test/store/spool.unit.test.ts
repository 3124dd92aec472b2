import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createMetrics } from "../../src/metrics.ts";
import { Spool } from "../../src/store/spool/spool.ts";
import type { TableRow } from "../../src/store/tables.ts";
import { eventRow } from "./rows.ts";

let directory: string;
const open: Spool[] = [];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "lookout-spool-"));
});
afterEach(async () => {
  for (const spool of open.splice(0)) await spool.close();
  await rm(directory, { recursive: true, force: true });
});

async function openSpool(maxBytes = 1_000_000, metrics = createMetrics()): Promise<Spool> {
  const spool = await Spool.open({ directory, maxBytes, fsync: false }, metrics, pino({ level: "silent" }));
  open.push(spool);
  return spool;
}

/** Gives its directory free as the end of its process does; what it has open stays as it is. */
async function abandon(spool: Spool): Promise<void> {
  open.splice(open.indexOf(spool), 1);
  await spool.close();
}

async function keysIn(spool: Spool): Promise<number[]> {
  const keys: number[] = [];
  for (let head = await spool.head(10); head !== undefined; head = await spool.head(10)) {
    keys.push(...head.rows.map(keyOf));
    await spool.remove(head);
  }
  return keys;
}

function keyOf(row: TableRow): number {
  return "event_key" in row.values ? (row.values.event_key ?? -1) : -1;
}

async function segmentFiles(): Promise<string[]> {
  const names = await readdir(directory, { recursive: true });
  return names.filter((name) => name.endsWith(".spool")).sort();
}

test("8: rows come out as they went in, in order, and their files go", async () => {
  const spool = await openSpool();
  const row = eventRow("w", 1, { title: 'a\n"\u2028🙂', rtt_ms: 0.1, claimCheck: -5 });
  await spool.append([row]);
  expect((await spool.head(10))?.rows).toEqual([row]);
  await Promise.all(Array.from({ length: 50 }, (_, key) => spool.append([eventRow("w", key + 2)])));
  expect(spool.state).toBe("filling");
  expect(await keysIn(spool)).toEqual(Array.from({ length: 51 }, (_, key) => key + 1));
  expect(spool.isEmpty).toBe(true);
  expect(await segmentFiles()).toEqual([]);
});

test("8: rows that are appended while it is emptied come last", async () => {
  const spool = await openSpool(100_000);
  const keys: number[] = [];
  let next = 0;
  const appends: Promise<void>[] = [];
  for (let round = 0; round < 100; round += 1) {
    for (let each = 0; each < 7; each += 1)
      appends.push(spool.append([eventRow("w", next++, { title: "x".repeat(50) })]));
    const head = await spool.head(6);
    if (head === undefined) continue;
    keys.push(...head.rows.map(keyOf));
    await spool.remove(head);
  }
  await Promise.all(appends);
  keys.push(...(await keysIn(spool)));
  expect(keys).toEqual(Array.from({ length: next }, (_, key) => key));
});

test("8: what is not removed is given again, also to the next process", async () => {
  const first = await openSpool();
  await first.append([eventRow("w", 1)]);
  await first.append([eventRow("w", 2)]);
  expect((await first.head(1))?.rows).toHaveLength(1);
  expect((await first.head(10))?.rows.map(keyOf)).toEqual([1, 2]);
  await abandon(first);
  const second = await openSpool();
  expect(second.isEmpty).toBe(false);
  await second.append([eventRow("w", 3)]);
  expect(await keysIn(second)).toEqual([1, 2, 3]);
});

test("8: a last record that was cut at any byte is left out, and the ones before it are kept", async () => {
  const first = await openSpool();
  await first.append([eventRow("w", 1)]);
  const [name = ""] = await segmentFiles();
  const path = join(directory, name);
  const wholeBytes = (await stat(path)).size;
  await first.append([eventRow("w", 2)]);
  await abandon(first);
  const bytes = await readFile(path);
  for (let length = wholeBytes; length < bytes.length; length += 1) {
    await writeFile(path, bytes.subarray(0, length));
    const spool = await openSpool();
    expect((await spool.head(10))?.rows.map(keyOf), `cut at byte ${length}`).toEqual([1]);
    await abandon(spool);
  }
});

test("8: any byte that changed in a record costs this record or what follows, never gives another", async () => {
  const first = await openSpool();
  for (const key of [1, 2, 3]) await first.append([eventRow("w", key)]);
  await abandon(first);
  const path = join(directory, (await segmentFiles())[0] ?? "");
  const bytes = await readFile(path);
  const recordBytes = bytes.length / 3;
  for (let at = recordBytes; at < 2 * recordBytes; at += 1) {
    const damaged = Buffer.from(bytes);
    damaged[at] = (damaged[at] ?? 0) ^ 0x40;
    await writeFile(path, damaged);
    const spool = await openSpool();
    const keys = (await spool.head(10))?.rows.map(keyOf);
    expect([[1], [1, 3]]).toContainEqual(keys);
    await abandon(spool);
  }
});

test("8: a file that lost its end while it is read does not stop the rest", async () => {
  const metrics = createMetrics();
  const spool = await openSpool(1_000_000, metrics);
  await spool.append([eventRow("w", 1)]);
  await spool.append([eventRow("w", 2)]);
  await truncate(join(directory, (await segmentFiles())[0] ?? ""), 10);
  expect(await spool.head(10)).toBeUndefined();
  await spool.append([eventRow("w", 3)]);
  expect(await keysIn(spool)).toEqual([3]);
  expect((await metrics.spoolDamagedBytes.get()).values[0]?.value).toBeGreaterThan(0);
});

test("8: past its bound it refuses with 503, says full, keeps what it has and takes more once it is emptied", async () => {
  const metrics = createMetrics();
  const spool = await openSpool(20_000, metrics);
  const row = (key: number) => eventRow("w", key, { title: "x".repeat(900) });
  const outcomes = await Promise.allSettled(Array.from({ length: 40 }, (_, key) => spool.append([row(key)])));
  const kept = outcomes.flatMap(({ status }, key) => (status === "fulfilled" ? key : []));
  const refused = outcomes.find(({ status }) => status === "rejected");
  expect(refused).toMatchObject({ reason: { code: "SERVICE_UNAVAILABLE", headers: { "Retry-After": "5" } } });
  expect(kept.length).toBeGreaterThan(10);
  expect(spool.state).toBe("full");
  expect((await metrics.spoolBytes.get()).values[0]?.value).toBeLessThanOrEqual(20_000);
  expect((await metrics.spoolRows.get()).values[0]?.value).toBe(kept.length);
  expect(await keysIn(spool)).toEqual(kept);
  await spool.append([row(99)]);
  expect(await keysIn(spool)).toEqual([99]);
});

test("8: each living process has its own, a dead one's is taken over whole", async () => {
  const [first, second] = [await openSpool(), await openSpool()];
  await first.append([eventRow("w", 1)]);
  await second.append([eventRow("w", 11)]);
  const third = await openSpool();
  expect(third.isEmpty).toBe(true);
  await third.append([eventRow("w", 21)]);
  for (const spool of [first, second, third]) await abandon(spool);
  const heir = await openSpool();
  await heir.append([eventRow("w", 99)]);
  const keys = await keysIn(heir);
  expect(keys.at(-1)).toBe(99);
  expect(keys.sort((a, b) => a - b)).toEqual([1, 11, 21, 99]);
});

test("8: of many that start at once each file goes to one", async () => {
  for (let round = 0; round < 5; round += 1) {
    const dying = [await openSpool(), await openSpool(), await openSpool()];
    for (const [index, spool] of dying.entries()) await spool.append([eventRow("w", index)]);
    for (const spool of dying) await abandon(spool);
    const heirs = await Promise.all(Array.from({ length: 4 }, () => openSpool()));
    const keys = (await Promise.all(heirs.map(keysIn))).flat();
    expect(keys.sort((a, b) => a - b)).toEqual([0, 1, 2]);
    for (const spool of heirs) await abandon(spool);
  }
});

test("8: a directory that nobody may write refuses, and recovers", async () => {
  const spool = await openSpool();
  const [name = ""] = (await readdir(directory)).sort();
  await rm(join(directory, name), { recursive: true });
  await expect(spool.append([eventRow(randomUUID(), 1)])).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  expect(spool.state).toBe("full");
});
