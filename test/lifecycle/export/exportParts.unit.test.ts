import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DeletionScope } from "../../../src/lifecycle/erasure/deletion/deletionScope.ts";
import { erasedTables } from "../../../src/lifecycle/erasure/steps/erasedTables.ts";
import { datasets } from "../../../src/lifecycle/export/datasets.ts";
import { readByteRange } from "../../../src/lifecycle/export/request/byteRange.ts";
import { readSignature, signDownload } from "../../../src/lifecycle/export/request/downloadSignature.ts";
import { estimateCompletion, progressPercent } from "../../../src/lifecycle/export/request/estimateCompletion.ts";
import { heldByExports } from "../../../src/lifecycle/export/run/heldByExports.ts";
import { planFiles } from "../../../src/lifecycle/export/run/planFiles.ts";

const dayMs = 86_400_000;

describe("4.19: byte ranges (RFC 9110, section 14)", () => {
  test("are within the file for any request", () => {
    fc.assert(
      fc.property(fc.nat(1_000), fc.nat(1_200), fc.nat(1_200), (size, first, last) => {
        const span = readByteRange(`bytes=${first}-${last}`, size);
        if (last < first) expect(span).toBeUndefined();
        else if (first >= size) expect(span).toBe("unsatisfiable");
        else expect(span).toEqual({ start: first, end: Math.min(last, size - 1) });
      }),
    );
  });

  test("may leave out either end", () => {
    expect(readByteRange("bytes=10-", 30)).toEqual({ start: 10, end: 29 });
    expect(readByteRange("bytes=-10", 30)).toEqual({ start: 20, end: 29 });
    expect(readByteRange("bytes=-99", 30)).toEqual({ start: 0, end: 29 });
    expect(readByteRange("bytes=-0", 30)).toBe("unsatisfiable");
    for (const other of [undefined, "", "bytes=", "bytes=-", "bytes=a-b", "bytes=1-2,4-5", "pages=1-2"])
      expect(readByteRange(other, 30)).toBeUndefined();
  });
});

describe("4.19: signatures of addresses", () => {
  const secret = Buffer.alloc(32, 7);

  test("are valid for one export until they expire, and with one secret", () => {
    const signature = signDownload(secret, "a", 1_800_000_000_123);
    expect(readSignature(secret, "a", signature)).toBe(1_800_000_000_123);
    expect(readSignature(secret, "b", signature)).toBeUndefined();
    expect(readSignature(Buffer.alloc(32, 8), "a", signature)).toBeUndefined();
  });

  test("only one spelling of a signature is valid", () => {
    const signature = signDownload(secret, "a", 1_800_000_000_123);
    for (const last of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
      if (!signature.endsWith(last))
        expect(readSignature(secret, "a", `${signature.slice(0, -1)}${last}`)).toBeUndefined();
  });

  test("no other text is valid", () => {
    const signature = signDownload(secret, "a", 1_800_000_000_000);
    const [expiry = "", hmac = ""] = signature.split(".");
    const later = (Number.parseInt(expiry, 36) + dayMs).toString(36);
    for (const wrong of [
      "",
      ".",
      hmac,
      `${later}.${hmac}`,
      `${expiry}.${hmac.slice(1)}`,
      `${signature} `,
      `0${signature}`,
    ])
      expect(readSignature(secret, "a", wrong)).toBeUndefined();
    fc.assert(fc.property(fc.string(), (text) => readSignature(secret, "a", text) === undefined));
  });
});

describe("4.18: estimated_completion", () => {
  const nowMs = 1_000_000;
  const fresh = {
    format: "csv",
    usualWriting: null,
    usualPacking: null,
    rowsTotal: 400_000,
    rowsWritten: 0,
    rowsPacked: 0,
    startedMs: null,
    packingMs: null,
  } as const;
  const secondsLeft = (progress: Partial<Parameters<typeof estimateCompletion>[0]>) =>
    (estimateCompletion({ ...fresh, ...progress }, nowMs) - nowMs) / 1_000;

  test("is computed from the usual speed first, then from the speed of this run", () => {
    const first = secondsLeft({});
    const slow = secondsLeft({ rowsWritten: 100_000, startedMs: nowMs - 100_000 });
    expect(slow, "1,000 rows a second").toBeGreaterThan(300);
    expect(slow).toBeGreaterThan(first);
    expect(secondsLeft({ rowsWritten: 200_000, startedMs: nowMs - 200_000 })).toBeLessThan(slow);
    const packing = { rowsWritten: 400_000, startedMs: nowMs - 60_000, packingMs: nowMs - 10_000 };
    expect(secondsLeft({ ...packing, rowsPacked: 100_000 })).toBeCloseTo(32, 0);
  });

  test("is computed from the last export of the format; without one it is later for Parquet than for CSV", () => {
    expect(secondsLeft({ usualWriting: 100, usualPacking: 1_000 })).toBeCloseTo(4_000 + 400 + 2, 3);
    expect(secondsLeft({ format: "parquet" })).toBeGreaterThan(1.3 * secondsLeft({ format: "csv" }));
  });

  test("is known even if the last export has no packing time", () => {
    expect(secondsLeft({ usualWriting: 100, usualPacking: 0 })).toBeCloseTo(4_000 + 1_333 + 2, 0);
    expect(secondsLeft({ usualWriting: 0, usualPacking: 0 })).toBe(secondsLeft({}));
  });

  test("is never in the past, and progress never falls and is never 100 before the end", () => {
    const rows = fc.nat(2_000_000);
    fc.assert(
      fc.property(rows, rows, rows, rows, (rowsTotal, a, b, packed) => {
        const [rowsWritten, later] = a < b ? [a, b] : [b, a];
        const at = (written: number) => progressPercent({ ...fresh, rowsTotal, rowsWritten: written });
        expect(at(later)).toBeGreaterThanOrEqual(rowsTotal >= later ? at(rowsWritten) : 0);
        const rowsPacked = Math.min(packed, later);
        const all = { ...fresh, rowsTotal, rowsWritten: later, rowsPacked, startedMs: 1, packingMs: 2 };
        expect(progressPercent(all)).toBeLessThan(100);
        expect(estimateCompletion(all, nowMs)).toBeGreaterThanOrEqual(nowMs);
      }),
    );
  });
});

describe("4.18: files of an archive", () => {
  test("one for each dataset; Parquet is split into files that fit into memory", () => {
    const written = [{ dataset: "events", parts: 251, rows: 25_000_010 }];
    const files = planFiles("parquet", written, 100_000);
    expect(files.map(({ name, firstPart, parts, rows }) => ({ name, firstPart, parts, rows }))).toEqual([
      { name: "events.parquet", firstPart: 0, parts: 100, rows: 10_000_000 },
      { name: "events-2.parquet", firstPart: 100, parts: 100, rows: 10_000_000 },
      { name: "events-3.parquet", firstPart: 200, parts: 51, rows: 5_000_010 },
    ]);
    expect(planFiles("csv", written, 100_000)).toMatchObject([
      { name: "events.csv", firstPart: 0, parts: 251, rows: 25_000_010 },
    ]);
  });
});

describe("4.17: which exports hold erased rows", () => {
  const [fromMs, untilMs] = [dayMs * 10 + 5, dayMs * 11 + 5];
  const toMs = untilMs;
  const held = (dataTypes: readonly string[], more: Partial<DeletionScope> = {}) => {
    const days = { startDate: "1970-01-11", endDate: "1970-01-11" };
    const scope: DeletionScope = {
      kind: "request",
      websiteId: "w",
      fromMs,
      untilMs,
      ...days,
      dataTypes,
      visitorKey: null,
    };
    const tables = erasedTables({ ...scope, ...more });
    return new Map(heldByExports({ fromMs, toMs }, tables).map(({ dataType, ...span }) => [dataType, span]));
  };
  const span = { fromMs, toMs };
  const days = { fromMs: 10 * dayMs, toMs: 12 * dayMs };
  const ofEvents = { events: span, sessions: { fromMs: fromMs - 2 * dayMs, toMs }, aggregated: days };

  test("events are in sessions that began up to two days before, and in the records of their UTC days", () => {
    expect(Object.fromEntries(held(["events"]))).toEqual({ ...ofEvents, llm_calls: span });
    expect(Object.fromEntries(held(["outgoing_links"]))).toEqual(ofEvents);
    expect(Object.fromEntries(held(["sessions"]))).toEqual({ sessions: span });
    expect(Object.fromEntries(held(["aggregated"]))).toEqual({ aggregated: days, excluded_traffic: span });
  });

  test("other rows are in the data of their own", () => {
    expect(Object.fromEntries(held(["performance", "errors", "uptime"]))).toEqual({
      performance: span,
      errors: span,
      uptime: span,
    });
  });

  test("what holds nothing of single visitors keeps its exports when one visitor is erased", () => {
    const types = [...held(["events", "performance", "errors", "uptime"], { visitorKey: 7 }).keys()].sort();
    expect(types).toEqual(["aggregated", "errors", "events", "performance", "sessions"]);
  });

  test("everything is withdrawn with the website", () => {
    const types = [...held(["events"], { kind: "purge" }).keys()].sort();
    expect(types).toEqual([...new Set(datasets.map(({ dataType }) => dataType))].sort());
  });
});
