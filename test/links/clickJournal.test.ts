import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { clickRow } from "../../src/links/click.ts";
import { ClickJournal } from "../../src/links/clickJournal.ts";
import { createMetrics } from "../../src/metrics.ts";
import type { RowWriter } from "../../src/store/rowWriter.ts";
import { encodeRecord } from "../../src/store/spool/record.ts";
import { nextSegmentPath, openSpoolDirectory } from "../../src/store/spool/spoolDirectory.ts";
import type { TableRow } from "../../src/store/tables.ts";
import { sampleClick } from "./sampleClick.ts";

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

function openJournal(directory: string, write: RowWriter["write"]): Promise<ClickJournal> {
  return ClickJournal.open({ directory, maxBytes: 1e8, fsync: false }, { write }, createMetrics(), log);
}

test("8.5: clicks outlive their process as they were, whatever letters they hold and however many come at once", async () => {
  const directory = await newDirectory();
  const first = await openJournal(directory, () => Promise.reject(new Error("away")));
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

test("8.5: clicks that a process of an earlier version left as rows are stored", async () => {
  const directory = await newDirectory();
  const left = await openSpoolDirectory(directory);
  const rows = [1, 2].map((key) => clickRow(sampleClick(key)));
  await writeFile(nextSegmentPath(left.path, []), encodeRecord(rows, Date.now()));
  await left.release();
  const stored: TableRow[] = [];
  const journal = await openJournal(directory, async (given) => void stored.push(...given));
  await expect.poll(() => stored).toEqual(rows);
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
