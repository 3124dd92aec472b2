import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { LogRecord, NewRecord } from "../../src/durableLog/durableLog.ts";
import { FileLog } from "../../src/durableLog/fileLog.ts";
import { parseRecords } from "../../src/durableLog/record.ts";
import { createMetrics, type Metrics } from "../../src/observability/metrics.ts";

let directory: string;
let logged: Record<string, unknown>[] = [];
const open: FileLog[] = [];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "lookout-log-"));
  logged = [];
});
afterEach(async () => {
  for (const log of open.splice(0)) await log.close();
  await rm(directory, { recursive: true, force: true });
});

async function openLog(maxBytes = 1_000_000, metrics = createMetrics()): Promise<FileLog> {
  const sink = { write: (line: string) => void logged.push(JSON.parse(line)) };
  const log = await FileLog.open({ directory, maxBytes, fsync: false }, metrics, pino({ level: "warn" }, sink));
  open.push(log);
  return log;
}

/** Releases its directory as the end of its process does. */
async function abandon(log: FileLog): Promise<void> {
  open.splice(open.indexOf(log), 1);
  await log.close();
}

function record(key: number, text = `row ${key}`): NewRecord {
  return { receivedMs: 1_700_000_000_000 + key, websiteId: "w", key, payload: text };
}

const asRead = ({ payload, ...rest }: NewRecord): LogRecord => ({ ...rest, payload: Buffer.from(payload) });

/** Reads to the end, `max` records at a time, and commits each group. */
async function keysIn(log: FileLog, max = 10): Promise<number[]> {
  const keys: number[] = [];
  for (;;) {
    const { records, next } = await log.read(log.committed, max);
    keys.push(...records.map(({ key }) => key));
    if (next === log.committed) return keys;
    await log.commit(next);
  }
}

async function filesBelow(name = ".log"): Promise<string[]> {
  const names = await readdir(directory, { recursive: true });
  return names.filter((each) => each.endsWith(name)).sort();
}

const figure = async (metric: Metrics["logDamaged"] | Metrics["logBytes"]) => (await metric.get()).values[0]?.value;

const keysTo = (count: number) => Array.from({ length: count }, (_, key) => key);

test("8: records are read as they were written, in order, and their files are deleted", async () => {
  const log = await openLog();
  const first = {
    receivedMs: 1.5,
    websiteId: "ä".repeat(20),
    key: 2 ** 52,
    payload: "\0ÿLþ\u0001 日本 😀 \ud800",
  };
  // Longer than the memory that records are encoded in at first.
  const long = record(1, "é".repeat(300_000));
  await log.append([first, long]);
  expect((await log.read(log.committed, 10)).records).toEqual([first, long].map(asRead));
  await Promise.all(keysTo(50).map((key) => log.append([record(key)])));
  expect(log.isEmpty).toBe(false);
  expect(await keysIn(log, 7)).toEqual([2 ** 52, 1, ...keysTo(50)]);
  expect(log.isEmpty).toBe(true);
  await expect.poll(() => filesBelow()).toEqual([]);
  expect(log.oldestMs).toBeUndefined();
});

test("8: records that are appended during a read come last", async () => {
  const log = await openLog(100_000);
  const keys: number[] = [];
  let next = 0;
  const appends: Promise<void>[] = [];
  for (let round = 0; round < 100; round += 1) {
    for (let each = 0; each < 7; each += 1) appends.push(log.append([record(next++, "x".repeat(50))]));
    const batch = await log.read(log.committed, 6);
    keys.push(...batch.records.map(({ key }) => key));
    await log.commit(batch.next);
  }
  await Promise.all(appends);
  keys.push(...(await keysIn(log)));
  expect(keys).toEqual(keysTo(next));
});

test("8: a next group can be read before the one before it is committed", async () => {
  const log = await openLog();
  await log.append(keysTo(5).map((key) => record(key)));
  const first = await log.read(log.committed, 2);
  const second = await log.read(first.next, 2);
  expect(second.records.map(({ key }) => key)).toEqual([2, 3]);
  await log.commit(first.next);
  await log.commit(second.next);
  expect(await keysIn(log)).toEqual([4]);
});

test("8: committed records are not read again, nor by the next process; the rest is", async () => {
  const metrics = createMetrics();
  const first = await openLog();
  await first.append([record(1), record(2), record(3)]);
  await first.commit((await first.read(first.committed, 1)).next);
  await abandon(first);
  const second = await openLog(1_000_000, metrics);
  expect(await figure(metrics.logRecords)).toBe(2);
  await second.append([record(4)]);
  expect(await keysIn(second)).toEqual([2, 3, 4]);
  expect(await figure(metrics.logRecords)).toBe(0);
});

test("8: a file whose process ended right after all of it was committed is deleted at the next start", async () => {
  const first = await openLog();
  await first.append([record(1)]);
  const [name = ""] = await filesBelow();
  const bytes = await readFile(join(directory, name));
  expect(await keysIn(first)).toEqual([1]);
  await abandon(first);
  await writeFile(join(directory, name), bytes);
  const second = await openLog();
  expect(second.isEmpty).toBe(true);
  expect(await filesBelow()).toEqual([]);
  await second.append([record(2)]);
  expect(await keysIn(second)).toEqual([2]);
});

test("8: a process that takes a directory over does not reuse its file numbers", async () => {
  for (let round = 0; round < 3; round += 1) {
    const log = await openLog();
    await log.append([record(round)]);
    expect(await keysIn(log)).toEqual([round]);
    await abandon(log);
  }
  const left = await openLog();
  await left.append([record(9)]);
  await abandon(left);
  expect(await keysIn(await openLog())).toEqual([9]);
});

describe("8: damage", () => {
  /** One file of records in a directory that an ended process left, and its bytes. */
  async function leave(keys: readonly number[]): Promise<{ path: string; bytes: Buffer; recordBytes: number }> {
    const log = await openLog();
    for (const key of keys) await log.append([record(key)]);
    await abandon(log);
    const path = join(directory, (await filesBelow())[0] ?? "");
    const bytes = await readFile(path);
    return { path, bytes, recordBytes: bytes.length / keys.length };
  }

  async function readDamaged(
    path: string,
    bytes: Buffer,
  ): Promise<{ keys: number[]; damaged: number; kept: string[] }> {
    await writeFile(path, bytes);
    const metrics = createMetrics();
    const log = await openLog(1_000_000, metrics);
    const keys = await keysIn(log, 2);
    await abandon(log);
    const kept = (await filesBelow()).filter((name) => name.startsWith("damaged/"));
    return { keys, damaged: (await figure(metrics.logDamaged)) ?? 0, kept };
  }

  test("a flipped bit in the length of a middle record loses that record alone, and is counted and logged once", async () => {
    const { path, bytes, recordBytes } = await leave([1, 2, 3, 4, 5]);
    const at = 2 * recordBytes + 6;
    bytes[at] = (bytes[at] ?? 0) ^ 0x10;
    const { keys, damaged, kept } = await readDamaged(path, bytes);
    expect(keys).toEqual([1, 2, 4, 5]);
    expect(damaged).toBe(1);
    expect(logged.filter(({ msg }) => String(msg).includes("is damaged"))).toHaveLength(1);
    expect(kept, "the file is kept aside").toHaveLength(1);
    expect(await readFile(join(directory, kept[0] ?? ""))).toEqual(bytes);
  });

  test("zeros at the start of a record, as a power cut leaves them, lose that record alone", async () => {
    const { path, bytes, recordBytes } = await leave([1, 2, 3, 4, 5]);
    bytes.fill(0, recordBytes, recordBytes + 20);
    bytes.fill(0, 3 * recordBytes, 3 * recordBytes + 20);
    expect(await readDamaged(path, bytes)).toMatchObject({ keys: [1, 3, 5], damaged: 2 });
  });

  test("any changed byte loses one record at most, never yields another, and is counted", async () => {
    const { bytes, recordBytes } = await leave([1, 2, 3]);
    for (let at = 0; at < bytes.length; at += 1)
      for (const bit of [1, 0x40]) {
        const damaged = Buffer.from(bytes);
        damaged[at] = (damaged[at] ?? 0) ^ bit;
        const parsed = parseRecords(damaged, true, 10);
        const lost = Math.floor(at / recordBytes) + 1;
        expect(parsed.records, `bit of byte ${at}`).toEqual(
          [1, 2, 3].filter((key) => key !== lost).map((key) => asRead(record(key))),
        );
        expect(parsed.damaged).toHaveLength(1);
      }
  });

  test("lost or inserted bytes leave every intact record readable, wherever a read ends", async () => {
    const { bytes, recordBytes } = await leave([1, 2, 3]);
    for (let at = 0; at <= recordBytes; at += 1) {
      const shorter = Buffer.concat([bytes.subarray(0, recordBytes + at), bytes.subarray(recordBytes + at + 5)]);
      expect(parseRecords(shorter, true, 10).records.map(({ key }) => key)).toContain(1);
      const longer = Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff, 0x4c, 7]), bytes.subarray(at)]);
      expect(
        parseRecords(longer, true, 10)
          .records.map(({ key }) => key)
          .slice(-2),
      ).toEqual([2, 3]);
    }
    const damaged = Buffer.from(bytes).fill(0, recordBytes + 2, recordBytes + 9);
    for (let cut = 1; cut < bytes.length; cut += 1) {
      const first = parseRecords(damaged.subarray(0, cut), false, 10);
      const second = parseRecords(damaged.subarray(first.end), true, 10);
      expect(
        [...first.records, ...second.records].map(({ key }) => key),
        `cut at ${cut}`,
      ).toEqual([1, 3]);
    }
  });

  test("a last record cut at any byte was never acknowledged: it is left out and is no damage", async () => {
    const { path, bytes, recordBytes } = await leave([1, 2]);
    for (let length = recordBytes + 1; length < bytes.length; length += 1)
      expect(parseRecords(bytes.subarray(0, length), true, 10)).toMatchObject({ records: [{ key: 1 }], damaged: [] });
    expect(await readDamaged(path, bytes.subarray(0, recordBytes + 30))).toMatchObject({
      keys: [1],
      damaged: 0,
      kept: [],
    });
    expect(await filesBelow()).toEqual([]);
  });

  test("a file that loses its end or is deleted while it is read does not stop the rest", async () => {
    const metrics = createMetrics();
    const log = await openLog(1_000_000, metrics);
    await log.append([record(1)]);
    await log.append([record(2)]);
    await truncate(join(directory, (await filesBelow())[0] ?? ""), 10);
    expect(await keysIn(log)).toEqual([]);
    expect(await figure(metrics.logDamagedBytes)).toBeGreaterThan(0);
    await log.append([record(3)]);
    await expect.poll(() => keysIn(log)).toEqual([3]);
  });
});

test("8: a full log refuses with 503, reports that it is full, keeps its rows and accepts more once they are stored", async () => {
  const metrics = createMetrics();
  const log = await openLog(20_000, metrics);
  const long = (key: number) => record(key, "x".repeat(900));
  const outcomes = await Promise.allSettled(keysTo(40).map((key) => log.append([long(key)])));
  const kept = outcomes.flatMap(({ status }, key) => (status === "fulfilled" ? key : []));
  const refused = outcomes.find(({ status }) => status === "rejected");
  expect(refused).toMatchObject({ reason: { problem: { kind: "log_full" } } });
  expect(kept.length).toBeGreaterThan(10);
  expect(log.state).toBe("full");
  expect(await figure(metrics.logBytes)).toBeLessThanOrEqual(20_000);
  expect(await figure(metrics.logRecords)).toBe(kept.length);
  expect(await keysIn(log)).toEqual(kept);
  await log.append([long(99)]);
  expect(await keysIn(log)).toEqual([99]);
});

test("8: each running process has its own directory, a dead one's is taken over completely, from its committed position", async () => {
  const [first, second] = [await openLog(), await openLog()];
  await first.append([record(1)]);
  await second.append([record(11), record(12)]);
  await second.commit((await second.read(second.committed, 1)).next);
  const third = await openLog();
  expect(third.isEmpty).toBe(true);
  await third.append([record(21)]);
  for (const log of [first, second, third]) await abandon(log);
  const heir = await openLog();
  await heir.append([record(99)]);
  const keys = await keysIn(heir);
  expect(keys.at(-1)).toBe(99);
  expect(keys.sort((a, b) => a - b)).toEqual([1, 12, 21, 99]);
  expect(heir.directory.takenOver).toHaveLength(2);
});

test("8: each file is taken over by one of many processes that start at the same time", async () => {
  for (let round = 0; round < 5; round += 1) {
    const dying = [await openLog(), await openLog(), await openLog()];
    for (const [index, log] of dying.entries()) await log.append([record(index)]);
    for (const log of dying) await abandon(log);
    const heirs = await Promise.all(keysTo(4).map(() => openLog()));
    const keys = (await Promise.all(heirs.map((heir) => keysIn(heir)))).flat();
    expect(keys.sort((a, b) => a - b)).toEqual([0, 1, 2]);
    for (const log of heirs) await abandon(log);
  }
});

test("8: a missing directory refuses with 503, counts as full and is logged once", async () => {
  const log = await openLog();
  const [name = ""] = (await readdir(directory)).sort();
  await rm(join(directory, name), { recursive: true });
  for (let round = 0; round < 3; round += 1)
    await expect(log.append([record(1)])).rejects.toMatchObject({ problem: { kind: "log_unwritable" } });
  expect(log.state).toBe("full");
  expect(logged.filter(({ msg }) => String(msg).includes("cannot be written"))).toHaveLength(1);
});

/** Makes file operations fail for root too, if the machine allows it. */
function makeImmutable(path: string, on = true): boolean {
  try {
    execFileSync("chattr", [on ? "+i" : "-i", path], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

test("8: a directory that cannot be written refuses with 503, keeps its rows, and accepts rows again later", async ({
  skip,
}) => {
  const log = await openLog();
  const own = log.directory.path;
  await log.append([record(1)]);
  await chmod(own, 0o500);
  const isRoot = process.getuid?.() === 0;
  if (isRoot && !makeImmutable(own)) skip("a directory cannot be made immutable here");
  try {
    expect(await keysIn(log)).toEqual([1]);
    // The current file can still be written; the next one cannot be created.
    await expect
      .poll(
        () =>
          log.append([record(2)]).then(
            () => "taken",
            ({ problem }) => problem.kind,
          ),
        { timeout: 100_000 },
      )
      .toBe("log_unwritable");
    expect(log.state).toBe("full");
  } finally {
    await chmod(own, 0o700).catch(() => undefined);
    if (isRoot) makeImmutable(own, false);
    await chmod(own, 0o700);
  }
  await log.append([record(3)]);
  expect(await keysIn(log)).toContain(3);
  expect(log.state).toBe("ok");
});

test("8: a committed file that cannot be deleted blocks nothing and is not stored again by the next process", async ({
  skip,
}) => {
  const log = await openLog(8_000);
  await log.append(keysTo(30).map((key) => record(key, "x".repeat(30))));
  const path = join(directory, (await filesBelow())[0] ?? "");
  if (!makeImmutable(path)) skip("a file cannot be made immutable here");
  try {
    expect(await keysIn(log)).toEqual(keysTo(30));
    await expect.poll(() => log.oldestMs, { message: "an erasure does not wait for it" }).toBeUndefined();
    expect((await stat(path)).size).toBeGreaterThan(0);
    await log.append([record(99)]);
    await abandon(log);
    expect(await keysIn(await openLog())).toEqual([99]);
  } finally {
    makeImmutable(path, false);
  }
});

test("8: damaged files that were moved aside are not read as a log", async () => {
  await mkdir(join(directory, "damaged"));
  await writeFile(join(directory, "damaged", "aa-000000000001.log"), "old");
  const log = await openLog();
  expect(log.isEmpty).toBe(true);
  expect(await filesBelow()).toEqual(["damaged/aa-000000000001.log"]);
});
