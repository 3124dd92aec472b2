import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readConfig } from "../../../src/config.ts";
import { FileLog } from "../../../src/durableLog/fileLog.ts";
import { blankDeadLetters, hasLoggedBefore } from "../../../src/lifecycle/erasure/disk/localFiles.ts";
import { partitionsWithOldFiles } from "../../../src/lifecycle/erasure/disk/questdbFiles.ts";
import { refusedRows } from "../../../src/lifecycle/erasure/guard/erasedRowGuard.ts";
import { readDeletionDays } from "../../../src/lifecycle/erasure/request/deletionDays.ts";
import { progressOf } from "../../../src/lifecycle/erasure/request/deletionMessage.ts";
import { createMetrics } from "../../../src/observability/metrics.ts";
import type { TableRow } from "../../../src/store/questdb/tables.ts";
import { withLiterals } from "../../../src/store/questdb/withLiterals.ts";
import { DeadLetters } from "../../../src/store/write/deadLetters.ts";
import { RowLog } from "../../../src/store/write/rowLog.ts";
import { eventRow } from "../../kit/random/eventRow.ts";

const log = pino({ level: "silent" });
let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "lookout-erasure-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const openLog = () => FileLog.open({ directory, maxBytes: 1_000_000, fsync: false }, createMetrics(), log);

describe("rows that may not be stored", () => {
  const range = { websiteId: "w", tables: ["events"], fromMs: 1_000, untilMs: 2_000, visitorKey: null, closedMs: null };
  const at = (ms: number, more: object = {}) => eventRow("w", 1, { tsUs: ms * 1_000, ...more });
  const refuses = (row: ReturnType<typeof at>, more: object = {}, receivedMs = 5_000) =>
    refusedRows([row], [receivedMs], [{ ...range, ...more }]).has(0);

  test("have a time from the start of the range to before its end", () => {
    expect([999.999, 1_000, 1_999.999, 2_000].map((ms) => refuses(at(ms)))).toEqual([false, true, true, false]);
  });

  test("were received before the range was closed", () => {
    expect(refuses(at(1_500), { closedMs: 5_001 })).toBe(true);
    expect(refuses(at(1_500), { closedMs: 5_000 })).toBe(false);
  });

  test("are of the website, the table and the visitor", () => {
    expect(refuses(at(1_500), { websiteId: "other" })).toBe(false);
    expect(refuses(at(1_500), { tables: ["sessions"] })).toBe(false);
    expect(refuses(at(1_500, { visitor_key: 7 }), { visitorKey: 7 })).toBe(true);
    expect(refuses(at(1_500, { visitor_key: 8 }), { visitorKey: 7 })).toBe(false);
  });
});

describe("a log", () => {
  const record = (receivedMs: number) => ({ receivedMs, websiteId: "w", key: 1, payload: payloadOf(eventRow("w", 1)) });
  const payloadOf = (row: TableRow) => JSON.stringify(row);

  test("drops rows that may not be stored, without a store, and knows when each row was received", async () => {
    const files = await openLog();
    await files.append([record(1_000), record(2_000)]);
    const seen: (readonly number[])[] = [];
    const guard = {
      enter: async (rows: readonly unknown[], receivedMs: readonly number[]) => {
        seen.push(receivedMs);
        return { refused: new Set(rows.keys()), leave: async () => undefined };
      },
    };
    const { questdb } = readConfig({ QUESTDB_HTTP: "http://127.0.0.1:1" });
    const deadLetters = new DeadLetters(join(directory, "dead-letters.jsonl"), createMetrics(), log);
    const rows = new RowLog(questdb, createMetrics(), log, { guard, files, deadLetters });
    await expect.poll(() => files.isEmpty).toBe(true);
    expect(seen).toEqual([[1_000, 2_000]]);
    await rows.close();
  });

  test("is on disk as long as it has a row from before, even while new ones are appended", async () => {
    const files = await openLog();
    expect(await hasLoggedBefore(directory, 5_000)).toBe(false);
    expect(files.oldestMs).toBeUndefined();
    await files.append([record(6_000)]);
    expect(await hasLoggedBefore(directory, 5_000)).toBe(false);
    const appended = files.append([record(1_000)]);
    expect(files.oldestMs, "on its way into the file").toBe(1_000);
    await appended;
    expect(await hasLoggedBefore(directory, 5_000)).toBe(true);
    expect(await hasLoggedBefore(directory, 1_000)).toBe(false);
    expect(files.oldestMs).toBe(1_000);
    const storeAllButOne = async () => {
      await files.append([record(7_000)]);
      await files.commit((await files.read(files.committed, 1)).next);
    };
    await storeAllButOne();
    await storeAllButOne();
    await expect
      .poll(async () => {
        await storeAllButOne();
        return files.oldestMs;
      })
      .toBe(7_000);
    expect(await hasLoggedBefore(directory, 5_000)).toBe(false);
    await files.close();
    expect(await hasLoggedBefore(join(directory, "missing"), 5_000)).toBe(false);
  });
});

test("dead letters of a range are blanked in place, the others stay", async () => {
  const path = join(directory, "dead-letters.jsonl");
  const letters = new DeadLetters(path, createMetrics(), log);
  const row = (websiteId: string, ms: number) =>
    eventRow(websiteId, 1, { tsUs: ms * 1_000, title: `${websiteId} at ${ms}` });
  const reason = "HTTP 400";
  await letters.add([row("w", 500), row("w", 1_500), row("other", 1_500)].map((refused) => ({ row: refused, reason })));
  const before = await readFile(path, "utf8");
  const range = { websiteId: "w", tables: ["events"], fromMs: 1_000, untilMs: 2_000, visitorKey: null, closedMs: null };
  expect(await blankDeadLetters(path, [range])).toBe(1);
  expect(await blankDeadLetters(path, [range])).toBe(0);
  const after = await readFile(path, "utf8");
  expect(after).toHaveLength(before.length);
  expect(after).not.toContain("w at 1500");
  const lines = after.split("\n");
  expect(lines.map((line) => line.trim() !== "")).toEqual([true, false, true, false]);
  await writeFile(path, "");
  expect(await blankDeadLetters(path, [range])).toBe(0);
  expect(await blankDeadLetters(join(directory, "missing"), [range])).toBe(0);
});

test("4.17: days of an erasure are whole days of the website's time zone, also across a clock change", () => {
  const nowMs = Date.parse("2026-06-15T12:00:00Z");
  const range = (startDate: string, endDate: string, zone: string) => {
    const { fromMs, untilMs } = readDeletionDays({ startDate, endDate }, zone, nowMs);
    return [new Date(fromMs).toISOString(), new Date(untilMs).toISOString()];
  };
  expect(range("2026-03-29", "2026-03-29", "Europe/Berlin")).toEqual([
    "2026-03-28T23:00:00.000Z",
    "2026-03-29T22:00:00.000Z",
  ]);
  expect(range("2026-03-01", "2026-03-31", "UTC")).toEqual(["2026-03-01T00:00:00.000Z", "2026-04-01T00:00:00.000Z"]);
  // Clocks that are ahead may have stored under the day after.
  expect(range("2026-06-15", "2199-12-31", "UTC")).toEqual(["2026-06-15T00:00:00.000Z", "2026-06-17T00:00:00.000Z"]);
  // It is the 16th already where the website is.
  expect(range("2026-06-16", "2026-06-16", "Pacific/Kiritimati")[0]).toBe("2026-06-15T10:00:00.000Z");
  expect(() => range("2026-06-16", "2026-06-16", "UTC")).toThrow("must not be after today");
});

test("a partition with two files of a column is recognised, also after QuestDB was killed in mid-write", async () => {
  const files: Record<string, string[]> = {
    "2026-11-20.3": ["ts.d", "title.d.8", "title.i.8", "website_id.k.8", "website_id.v.8"],
    "2026-11-21": ["ts.d", "title.d", "title.d.8", "title.i.8"],
    "2026-W47.2": ["ts.d", "error.d", "error.d.8"],
    wal1: ["a.d", "a.d.1"],
  };
  for (const [name, names] of Object.entries(files)) {
    await mkdir(join(directory, name));
    for (const file of names) await writeFile(join(directory, name, file), "");
  }
  expect((await partitionsWithOldFiles(directory)).sort()).toEqual(
    ["2026-11-21", "2026-W47.2"].map((name) => join(directory, name)),
  );
});

test("values are quoted in a statement and cannot change it", () => {
  expect(withLiterals("a = $1 AND b < $2 AND c = $1", ["it's; --", 12])).toBe(
    "a = 'it''s; --' AND b < 12 AND c = 'it''s; --'",
  );
  expect(() => withLiterals("a = $1", [Number.NaN])).toThrow("$1");
  expect(() => withLiterals("a = $2", ["x"])).toThrow("$2");
});

test("progress follows the days, and is 100 only at the end", () => {
  const at = (days: string[] | null, daysDone: string[], status: "processing" | "completed" = "processing") =>
    progressOf({ days, daysDone, status });
  expect([at(null, []), at(["a", "b"], []), at(["a", "b"], ["a"]), at(["a"], ["a"]), at([], [])]).toEqual([
    0, 0, 47, 95, 95,
  ]);
  expect(at(["a"], ["a"], "completed")).toBe(100);
});
