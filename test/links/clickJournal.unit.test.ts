import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { type Click, type ClickRow, clickRow } from "../../src/links/click.ts";
import { ClickJournal } from "../../src/links/clickJournal.ts";
import { ClickEncoder } from "../../src/links/keptClick.ts";
import { createMetrics, type Metrics } from "../../src/metrics.ts";
import type { RowWriter } from "../../src/store/rowWriter.ts";
import { encodeRecord } from "../../src/store/spool/record.ts";
import { nextSegmentPath, openSpoolDirectory } from "../../src/store/spool/spoolDirectory.ts";
import type { TableRow } from "../../src/store/tables.ts";
import { asSeen, sampleClick } from "./sampleClick.ts";

const log = pino({ level: "silent" });

const directories: string[] = [];
afterEach(async () => {
  for (const directory of directories.splice(0)) await rm(directory, { recursive: true, force: true });
});

async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "lookout-journal-"));
  directories.push(directory);
  return directory;
}

/** A directory in which an ended process left a journal. */
async function leave(bytes: Buffer): Promise<string> {
  const directory = await newDirectory();
  const left = await openSpoolDirectory(directory);
  await writeFile(nextSegmentPath(left.path, []), bytes);
  await left.release();
  return directory;
}

type Options = { readonly maxBytes?: number; readonly metrics?: Metrics };

function openJournal(
  directory: string,
  write: RowWriter["write"],
  options: Options = {},
): Promise<ClickJournal<Click>> {
  const { maxBytes = 1e8, metrics = createMetrics() } = options;
  return ClickJournal.open({ directory, maxBytes, fsync: false }, { write }, metrics, log, asSeen);
}

const away = () => Promise.reject(new Error("away"));

test("8.5: clicks outlive their process as they were, whatever letters they hold and however many come at once", async () => {
  const directory = await newDirectory();
  const first = await openJournal(directory, away);
  const clicks = Array.from({ length: 3_000 }, (_, key) => sampleClick(key));
  const few = clicks.splice(0, 8);
  const kept = [
    ...(await Promise.all(few.map((one) => first.append(one)))),
    ...(await Promise.all(clicks.map((one) => first.append(one)))),
  ];
  expect(new Set(kept)).toEqual(new Set([true]));
  await first.close();
  const stored: TableRow[] = [];
  const next = await openJournal(directory, async (rows) => void stored.push(...rows));
  await expect.poll(() => stored.length).toBe(3_000);
  expect(stored).toEqual([...few, ...clicks].map(clickRow));
  await next.close();
});

test("8.5: clicks of more texts than are remembered are as they were, also those that are not stored at once", async () => {
  const directory = await newDirectory();
  const first = await openJournal(directory, away);
  const clicks = Array.from({ length: 22_000 }, (_, key) => ({ ...sampleClick(key), source: `${key}.example.com` }));
  for (let key = 0; key < clicks.length; key += 1_000)
    await Promise.all(clicks.slice(key, key + 1_000).map((one) => first.append(one)));
  await first.close();
  const stored: TableRow[] = [];
  let writes = 0;
  const next = await openJournal(directory, async (rows) => {
    writes += 1;
    if (writes === 10) throw new Error("away");
    stored.push(...rows);
  });
  await expect.poll(() => stored.length).toBe(clicks.length);
  expect(stored).toEqual(clicks.map(clickRow));
  await next.close();
});

test("8.5: clicks that a process of an earlier version left, as rows or as values, are stored", async () => {
  const rows = [1, 2].map((key) => clickRow(sampleClick(key)));
  const seconds = Math.floor((rows[1]?.tsUs ?? 0) / 1e6);
  const milliseconds = ((rows[1]?.tsUs ?? 0) / 1e3) % 1e3;
  const keys = [0, 2, 2 ** 26 - 1, 2 ** 26 - 3];
  const values = [
    seconds,
    milliseconds,
    ...keys,
    "organization",
    "link0",
    null,
    "DE",
    null,
    "東京",
    "Chrome",
    null,
    "desktop",
  ];
  const directory = await leave(encodeRecord([rows[0], [...values, "de-DE", null, "website", "/pricing"]], Date.now()));
  const stored: TableRow[] = [];
  const journal = await openJournal(directory, async (given) => void stored.push(...given));
  await expect.poll(() => stored).toEqual(rows);
  await journal.close();
});

test("8.5: clicks that come after some did not fit are as they were", async () => {
  const directory = await newDirectory();
  const first = await openJournal(directory, away, { maxBytes: 700 });
  const [before, after] = [sampleClick(0), sampleClick(2)];
  expect(await first.append(before)).toBe(true);
  const tooMany = Array.from({ length: 50 }, (_, key) => first.append(sampleClick(key)));
  expect(new Set(await Promise.all(tooMany))).toEqual(new Set([false]));
  expect(await first.append(after)).toBe(true);
  await first.close();
  const stored: TableRow[] = [];
  const next = await openJournal(directory, async (rows) => void stored.push(...rows));
  await expect.poll(() => stored).toEqual([before, after].map(clickRow));
  await next.close();
});

test("8.5: where a part of the journal is damaged, what is whole is stored with its own texts or without", async () => {
  const encoder = new ClickEncoder();
  const nowMs = Date.now();
  const records = [0, 1, 4, 5].map((key) => encodeRecord([encoder.encode(sampleClick(key), nowMs)], nowMs));
  // The first names one of two links, the agent and a place of four.
  records[0]?.fill(0x20, 30);
  const stored: ClickRow[] = [];
  const metrics = createMetrics();
  const write = async (rows: readonly TableRow[]) => void stored.push(...(rows as ClickRow[]));
  const journal = await openJournal(await leave(Buffer.concat(records)), write, { metrics });
  await expect.poll(() => stored.length).toBe(2);
  expect(stored.map(({ values }) => [values.event_key, values.link_id, values.city, values.browser])).toEqual([
    [1, "link1", "São Paulo", undefined],
    [5, "link1", "São Paulo", undefined],
  ]);
  await expect.poll(async () => (await metrics.spoolDamagedBytes.get()).values[0]?.value).toBe(records[0]?.length);
  await journal.close();
});

test.each([4_000, 7_000])(
  "part 8: the storing of %i clicks gives way to redirects also once it has begun, and stores each once",
  async (count) => {
    const stored: number[] = [];
    let writes = 0;
    let isBusy = true;
    const spin = (): void => {
      const beganMs = performance.now();
      while (performance.now() - beganMs < 20);
      if (isBusy) setImmediate(spin);
    };
    const journal = await openJournal(await newDirectory(), async (rows) => {
      writes += 1;
      for (const { values } of rows) if ("event_key" in values) stored.push(Number(values.event_key));
      if (writes === 1) spin();
    });
    for (let key = 0; key < count; key += 1_000)
      await Promise.all(Array.from({ length: 1_000 }, (_, index) => journal.append(sampleClick(key + index))));
    await expect.poll(() => writes).toBeGreaterThan(0);
    for (let turn = 0; turn < 40; turn += 1) await nextTurn();
    expect(writes).toBe(1);
    isBusy = false;
    await expect.poll(() => stored.length).toBe(count);
    expect(stored).toEqual(Array.from({ length: count }, (_, key) => key));
    expect(writes).toBeGreaterThan(1);
    await journal.close();
  },
);
