import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { progressOf } from "../../src/data/erasure/deletionMessage.ts";
import { refusedRows } from "../../src/data/erasure/erasedRowGuard.ts";
import { readErasureDays } from "../../src/data/erasure/erasureDays.ts";
import { blankDeadLetters, hasSpooledBefore } from "../../src/data/erasure/localFiles.ts";
import { crowdedPartitions } from "../../src/data/erasure/questdbFiles.ts";
import { ClickJournal } from "../../src/links/clickJournal.ts";
import { createMetrics } from "../../src/metrics.ts";
import { RowWriter } from "../../src/store/rowWriter.ts";
import { DeadLetters } from "../../src/store/spool/deadLetters.ts";
import { Spool } from "../../src/store/spool/spool.ts";
import { withLiterals } from "../../src/store/withLiterals.ts";
import { asSeen, sampleClick } from "../links/sampleClick.ts";
import { eventRow } from "../store/rows.ts";

const log = pino({ level: "silent" });
let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "lookout-erasure-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const openSpool = () => Spool.open({ directory, maxBytes: 1_000_000, fsync: false }, createMetrics(), log);

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

describe("a spool", () => {
  test("hands rows on with the time at which they were received, also in another process", async () => {
    const first = await openSpool();
    await first.append([eventRow("w", 1), eventRow("w", 2)], 1_000);
    await first.append([eventRow("w", 3)], 2_000);
    await first.close();
    const second = await openSpool();
    expect((await second.head(10))?.receivedMs).toEqual([1_000, 1_000, 2_000]);
    await second.close();
  });

  test("empties when what it holds may not be stored, without a store", async () => {
    const spool = await openSpool();
    await spool.append([eventRow("w", 1)], 1_000);
    const seen: (readonly number[])[] = [];
    const guard = {
      enter: async (rows: readonly unknown[], receivedMs: readonly number[]) => {
        seen.push(receivedMs);
        return { refused: new Set(rows.keys()), leave: async () => undefined };
      },
    };
    const { questdb } = readConfig({ QUESTDB_HTTP: "http://127.0.0.1:1" });
    const writer = new RowWriter(questdb, createMetrics(), log, { guard, spool: { files: spool, afterMs: 50 } });
    await expect.poll(() => spool.isEmpty, { timeout: 10_000 }).toBe(true);
    expect(seen).toEqual([[1_000]]);
    await writer.close();
  });

  test("is on disk as long as it has a row from before", async () => {
    const spool = await openSpool();
    expect(await hasSpooledBefore(directory, 5_000)).toBe(false);
    expect(spool.oldestMs).toBeUndefined();
    await spool.append([eventRow("w", 1)], 6_000);
    expect(await hasSpooledBefore(directory, 5_000)).toBe(false);
    const appended = spool.append([eventRow("w", 2)], 1_000);
    expect(spool.oldestMs, "on its way into the file").toBe(1_000);
    await appended;
    expect(await hasSpooledBefore(directory, 5_000)).toBe(true);
    expect(await hasSpooledBefore(directory, 1_000)).toBe(false);
    expect(spool.oldestMs).toBe(1_000);
    const head = await spool.head(10);
    if (head !== undefined) await spool.remove(head);
    expect(spool.oldestMs).toBeUndefined();
    expect(await hasSpooledBefore(directory, 5_000)).toBe(false);
    await spool.close();
    expect(await hasSpooledBefore(join(directory, "missing"), 5_000)).toBe(false);
  });
});

test("a click journal hands clicks on with the time at which they were taken, also those of another process", async () => {
  const settings = { directory, maxBytes: 1_000_000, fsync: false };
  const away = { write: () => Promise.reject(new Error("away")) };
  const first = await ClickJournal.open(settings, away, createMetrics(), log, asSeen);
  expect(first.oldestMs).toBeUndefined();
  expect(await first.append(sampleClick(1))).toBe(true);
  const takenMs = first.oldestMs;
  expect(takenMs).toBeGreaterThan(0);
  await first.close();
  const handed: (number | undefined)[] = [];
  const writer = { write: async (_: unknown, receivedMs?: number) => void handed.push(receivedMs) };
  const second = await ClickJournal.open(settings, writer, createMetrics(), log, asSeen);
  await expect.poll(() => second.oldestMs).toBeUndefined();
  expect(handed).toEqual([takenMs]);
  await second.close();
});

test("dead letters of a range are blanked where they stand, the others stay", async () => {
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

test("4.17: days of an erasure are whole days of the website's time zone, also where clocks change", () => {
  const nowMs = Date.parse("2026-06-15T12:00:00Z");
  const range = (startDate: string, endDate: string, zone: string) => {
    const { fromMs, untilMs } = readErasureDays({ startDate, endDate }, zone, nowMs);
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

test("a partition that holds a column twice is known, also after QuestDB was killed in mid-write", async () => {
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
  expect((await crowdedPartitions(directory)).sort()).toEqual(
    ["2026-11-21", "2026-W47.2"].map((name) => join(directory, name)),
  );
});

test("values stand in a statement as what they are, never as more of it", () => {
  expect(withLiterals("a = $1 AND b < $2 AND c = $1", ["it's; --", 12])).toBe(
    "a = 'it''s; --' AND b < 12 AND c = 'it''s; --'",
  );
  expect(() => withLiterals("a = $1", [Number.NaN])).toThrow("$1");
  expect(() => withLiterals("a = $2", ["x"])).toThrow("$2");
});

test("progress is that of the days, and 100 only at the end", () => {
  const at = (days: string[] | null, daysDone: string[], status: "processing" | "completed" = "processing") =>
    progressOf({ days, daysDone, status });
  expect([at(null, []), at(["a", "b"], []), at(["a", "b"], ["a"]), at(["a"], ["a"]), at([], [])]).toEqual([
    0, 0, 47, 95, 95,
  ]);
  expect(at(["a"], ["a"], "completed")).toBe(100);
});
