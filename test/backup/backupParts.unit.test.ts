import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { countDifferences } from "../../src/backup/countRows.ts";
import { type BackupPart, backupId, idsOf, type Manifest, parseManifest, startOf } from "../../src/backup/manifest.ts";
import {
  collectReceipts,
  type DeletionRow,
  mergeReceipts,
  noReceipts,
  parseReceipts,
  receiptsAfter,
} from "../../src/backup/receipts/receipts.ts";
import { inOrderOfReferences } from "../../src/backup/restore/loadPostgres.ts";
import { placeOf, unpackBackup } from "../../src/backup/restore/unpackBackup.ts";
import { findFiles, sourceOf, unchangedPart } from "../../src/backup/take/fileSources.ts";
import { packPart, type Writing } from "../../src/backup/take/packPart.ts";
import { expireBackups } from "../../src/backup/target/expireBackups.ts";
import { LocalTarget } from "../../src/backup/target/localTarget.ts";
import { openTarget, readS3Place } from "../../src/backup/target/openTarget.ts";
import { newestManifest } from "../../src/backup/target/readManifest.ts";
import { readConfig } from "../../src/config.ts";

const dayMs = 86_400_000;
let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "lookout-parts-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function newTarget() {
  const target = new LocalTarget(join(directory, "target"));
  await mkdir(target.staging, { recursive: true });
  const writing: Writing = {
    target,
    known: new Map(),
    signal: new AbortController().signal,
    onProgress: () => undefined,
    sums: { read: 0, written: 0 },
  };
  return { target, writing, sums: writing.sums };
}

async function filesOf(contents: Readonly<Record<string, string>>) {
  const root = join(directory, "data");
  for (const [name, content] of Object.entries(contents)) {
    await mkdir(join(root, name, ".."), { recursive: true });
    await writeFile(join(root, name), content);
  }
  return await findFiles(root, root, "data/log/", true);
}

async function* piecesOf(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

const noContent = { format: 1, questdb: {}, postgres: {}, sequences: {}, migrations: [] };
const manifestWith = (parts: readonly BackupPart[]) => ({ parts }) as unknown as Manifest;

describe("parts of a backup", () => {
  const contents = { "a.d": "x".repeat(1_000_000), empty: "", "sub/b.d": "second", "z.d": "last" };

  test("files are stored compressed and unpacked as they were", async () => {
    const { target, writing, sums } = await newTarget();
    const part = await packPart(writing, "files", (await filesOf(contents)).map(sourceOf));
    expect(part.files.map(({ path, bytes }) => [path, bytes])).toEqual([
      ["data/log/a.d", 1_000_000],
      ["data/log/empty", 0],
      ["data/log/sub/b.d", 6],
      ["data/log/z.d", 4],
    ]);
    expect(sums).toEqual({ read: 1_000_010, written: part.storedBytes });
    expect(sums.written).toBeLessThan(10_000);
    expect(await readdir(target.staging)).toEqual([]);
    const out = join(directory, "out");
    await unpackBackup(target, manifestWith([part]), out, () => undefined);
    for (const [name, content] of Object.entries(contents))
      expect(await readFile(join(out, "log", name), "utf8"), name).toBe(content);
  });

  test("the same files are stored once", async () => {
    const { writing, sums } = await newTarget();
    const sources = (await filesOf(contents)).map(sourceOf);
    const first = await packPart(writing, "files", sources);
    const second = await packPart(writing, "files", sources);
    expect(second.object).toBe(first.object);
    expect(sums.written).toBe(first.storedBytes);
  });

  test("one that is gone from the place, or was cut there, is written again", async () => {
    const { target, writing, sums } = await newTarget();
    const sources = (await filesOf(contents)).map(sourceOf);
    const { object, storedBytes } = await packPart(writing, "files", sources);
    for (const known of [new Map(), new Map([[`objects/${object}`, Number(storedBytes) - 1]])])
      expect((await packPart({ ...writing, known }, "files", sources)).object).toBe(object);
    expect(sums.written).toBe(3 * Number(storedBytes));
    expect(await target.list("objects")).toEqual([{ name: `objects/${object}`, bytes: storedBytes }]);
  });

  test("a file that vanished is left out, and one that grew is cut", async () => {
    const { writing } = await newTarget();
    const found = await filesOf({ "a.d": "first", "b.d": "gone" });
    await rm(join(directory, "data", "b.d"));
    await writeFile(join(directory, "data", "a.d"), "first and more");
    const { files } = await packPart(writing, "files", found.map(sourceOf));
    expect(files.map(({ path, bytes }) => [path, bytes])).toEqual([["data/log/a.d", 5]]);
  });

  test("what cannot be read is said in a sentence", async () => {
    const { target } = await newTarget();
    await mkdir(join(target.place, "receipts.json"));
    await writeFile(join(target.place, "backups"), "");
    const readAll = async () => {
      for await (const _ of target.read("receipts.json"));
    };
    await expect(readAll()).rejects.toThrow(
      /^Cannot read \S+receipts\.json \(EISDIR: .*\)\. Correct that, or its owner and rights\.$/,
    );
    await expect(target.list("backups")).rejects.toThrow(/^Cannot read \S+backups \(ENOTDIR: /);
  });

  test.each([
    ["other bytes of the same length", (bytes: Buffer) => bytes.fill(0)],
    ["fewer bytes", (bytes: Buffer) => bytes.subarray(0, bytes.length - 5)],
    ["no bytes", () => Buffer.alloc(0)],
    ["one byte more", (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(1)])],
  ])("damage is found: %s", async (_, damage) => {
    const { target, writing } = await newTarget();
    const part = await packPart(writing, "files", (await filesOf(contents)).map(sourceOf));
    const path = join(target.place, "objects", part.object);
    await writeFile(path, damage(await readFile(path)));
    await expect(unpackBackup(target, manifestWith([part]), join(directory, "out"), () => undefined)).rejects.toThrow(
      "is damaged: its bytes do not match their checksum",
    );
  });

  test("damage is found: any cut, also one that takes no content", async () => {
    const { target, writing } = await newTarget();
    // The first is still being compressed when the last was given.
    const sources = ["a", "b"].map((name) => ({
      path: `data/log/${name}`,
      open: async () => piecesOf("first", "second"),
    }));
    const whole = await packPart(writing, "files", sources);
    const path = join(target.place, "objects", whole.object);
    const bytes = await readFile(path);
    const { storedBytes: _, ...ofEarlierVersion } = whole;
    for (const part of [whole, ofEarlierVersion])
      for (let length = 0; length < bytes.length; length++) {
        await writeFile(path, bytes.subarray(0, length));
        const unpacked = unpackBackup(target, manifestWith([part]), join(directory, "out"), () => undefined);
        await expect(unpacked, `${length} of ${bytes.length} bytes`).rejects.toThrow("is damaged");
      }
  });

  test("damage is found: the empty block at the end of a stream is cut", async () => {
    const { target, writing } = await newTarget();
    const { object, ...part } = await packPart(writing, "files", (await filesOf({ a: "one" })).map(sourceOf));
    const path = join(target.place, "objects", object);
    // As earlier versions may have written it: a frame with the content, and one that has nothing but its last block.
    const stored = Buffer.concat([await readFile(path), zstdCompressSync("")]);
    const unpack = () =>
      unpackBackup(
        target,
        manifestWith([{ ...part, object, storedBytes: stored.length }]),
        join(directory, "out"),
        () => undefined,
      );
    await writeFile(path, stored);
    await unpack();
    await writeFile(path, stored.subarray(0, -3));
    await expect(unpack()).rejects.toThrow("is damaged");
  });

  test("a part that holds other bytes than the manifest says is damaged", async () => {
    const { target, writing } = await newTarget();
    const { object, ...part } = await packPart(writing, "files", (await filesOf({ a: "one" })).map(sourceOf));
    const files = part.files.map((file) => ({ ...file, sha256: "0".repeat(64) }));
    const changed = manifestWith([{ ...part, object, files }]);
    await expect(unpackBackup(target, changed, join(directory, "out"), () => undefined)).rejects.toThrow("is damaged");
  });

  test("unchanged files are not read again, if they had not changed for a while", async () => {
    const found = await filesOf({ "a.d": "first", "b.d": "second" });
    const files = found.map(({ file: _, ...known }) => ({ ...known, sha256: "" }));
    const earlier: BackupPart = { name: "files", object: "1", files };
    const laterMs = Date.now() + 3_600_000;
    expect(unchangedPart(earlier, laterMs, found)).toBe(earlier);
    expect(unchangedPart(earlier, Date.now(), found), "changed right before the backup").toBeUndefined();
    expect(unchangedPart(earlier, laterMs, found.slice(1)), "a file is gone").toBeUndefined();
    expect(unchangedPart(undefined, laterMs, found)).toBeUndefined();
    for (const change of [{ bytes: 1 }, { changedMs: 1 }, { inode: 1 }, { path: "data/c.d" }])
      expect(unchangedPart(earlier, laterMs, [{ ...found[0], ...change } as never, ...found.slice(1)])).toBeUndefined();
  });

  test("paths stay below DATA_DIR", () => {
    expect(placeOf("questdb/db/events~1/_txn")).toBe("questdb/db/events~1/_txn");
    expect(placeOf("postgres/links")).toBe("restoring/postgres/links");
    expect(placeOf("data/log/events/x/position")).toBe("log/events/x/position");
    for (const path of ["data/../x", "data//etc/passwd", "/etc/passwd", "other/x", "questdb/..", "data/"])
      expect(() => placeOf(path), path).toThrow("which no backup of this version has");
  });
});

describe("manifests", () => {
  test("ids sort by time and say it", () => {
    const ms = Date.parse("2026-11-24T00:35:12.345Z");
    expect(backupId(ms)).toBe("20261124T003512345Z");
    expect(startOf(backupId(ms))).toBe(ms);
    expect(idsOf(["backups/20261124T003512345Z.json", "backups/x.json", "backups/20261123T003512345Z.json"])).toEqual([
      "20261123T003512345Z",
      "20261124T003512345Z",
    ]);
  });

  test("what is no manifest, and one of a newer version, is refused in one sentence", () => {
    for (const text of ["", "{", "null", "[]", "{}", '{"format":1}'])
      expect(() => parseManifest(text, "x.json"), text).toThrow(
        /^x\.json is not the manifest of a backup, or is damaged\./,
      );
    expect(() => parseManifest('{"format":2,"program":"9.0.0"}', "x.json")).toThrow(
      "The backup x.json was written by a newer version of Lookout (9.0.0). Use that version or a later one.",
    );
  });

  test("differences are listed by table and day", () => {
    const expected = { events: { "2026-11-20": 5, "2026-11-21": 1 }, sessions: {} };
    expect(countDifferences(expected, expected)).toEqual([]);
    expect(countDifferences(expected, { events: { "2026-11-20": 4, "2026-11-22": 2 } })).toEqual([
      "events 2026-11-20: 4 rows instead of 5",
      "events 2026-11-21: 0 rows instead of 1",
      "events 2026-11-22: 2 rows instead of 0",
    ]);
  });

  test("tables are loaded after those that their rows name", () => {
    const references = [
      { from: "links", to: "websites" },
      { from: "websites", to: "organizations" },
      { from: "websites", to: "websites" },
      { from: "links", to: "not_in_the_backup" },
    ];
    expect(inOrderOfReferences(["links", "organizations", "websites"], references)).toEqual([
      "organizations",
      "websites",
      "links",
    ]);
    expect(
      inOrderOfReferences(
        ["a", "b"],
        [
          { from: "a", to: "b" },
          { from: "b", to: "a" },
        ],
      ),
    ).toEqual(["b", "a"]);
  });
});

describe("targets", () => {
  test("8: backups older than 30 days go, with every object that no other needs", async () => {
    const { target, writing } = await newTarget();
    const nowMs = Date.now();
    const old = await packPart(writing, "old", (await filesOf({ a: "old" })).map(sourceOf));
    const shared = await packPart(writing, "shared", (await filesOf({ a: "shared" })).map(sourceOf));
    const [oldId, newId] = [backupId(nowMs - 30 * dayMs), backupId(nowMs - 29 * dayMs)];
    const manifest = (parts: readonly BackupPart[]) =>
      JSON.stringify({ ...noContent, takenAt: new Date(nowMs).toISOString(), parts });
    await target.putText(`backups/${oldId}.json`, manifest([old, shared]));
    await target.putText(`backups/${newId}.json`, manifest([shared]));
    await target.putText("objects/left-by-a-killed-backup", "");
    const statements: unknown[] = [];
    const postgres = { query: async (...query: unknown[]) => void statements.push(query[1]) } as never;
    expect(await expireBackups(target, postgres, 30 * dayMs, nowMs)).toEqual({ removed: [oldId], problems: [] });
    expect((await target.list("backups")).map(({ name }) => name)).toEqual([`backups/${newId}.json`]);
    expect((await target.list("objects")).map(({ name }) => name)).toEqual([`objects/${shared.object}`]);
    expect(statements).toEqual([[target.place, [oldId]]]);
  });

  test("8: a damaged manifest keeps no old backup from going, and its objects stay; the newest that can be read counts", async () => {
    const { target, writing } = await newTarget();
    const nowMs = Date.now();
    const part = await packPart(writing, "part", (await filesOf({ a: "a" })).map(sourceOf));
    const ids = [31, 5, 4, 3].map((days) => backupId(nowMs - days * dayMs));
    for (const [index, id] of ids.entries())
      await target.putText(
        `backups/${id}.json`,
        index % 2 === 0 ? JSON.stringify({ ...noContent, id, takenAt: new Date(nowMs).toISOString(), parts: [] }) : "{",
      );
    expect((await newestManifest(target))?.id).toBe(ids[2]);
    const postgres = { query: async () => undefined } as never;
    const { removed, problems } = await expireBackups(target, postgres, 30 * dayMs, nowMs);
    expect(removed).toEqual([ids[0]]);
    expect(problems).toEqual([expect.stringContaining(String(ids[1])), expect.stringContaining(String(ids[3]))]);
    expect((await target.list("objects")).map(({ name }) => name)).toEqual([`objects/${part.object}`]);
  });

  test("places: directories and buckets", async () => {
    expect(readS3Place("s3://bucket")).toEqual({ bucket: "bucket", folder: "" });
    expect(readS3Place("s3://bucket/a/b/")).toEqual({ bucket: "bucket", folder: "a/b" });
    expect(readS3Place("/var/backups")).toBeUndefined();
    expect(() => readS3Place("ftp://host/x")).toThrow("Backups are kept in a directory or at s3://bucket/folder");
    const dataDir = join(directory, "data");
    await mkdir(dataDir);
    const config = readConfig({ DATA_DIR: dataDir });
    await expect(openTarget(join(dataDir, "backups"), config)).rejects.toThrow("is inside DATA_DIR");
    await writeFile(join(directory, "file"), "");
    await expect(openTarget(join(directory, "file", "x"), config)).rejects.toThrow(
      /^Cannot write to .* Name a directory you may write to with --to\.$/,
    );
    expect((await openTarget(join(directory, "new"), config)).place).toBe(join(directory, "new"));
  });
});

describe("receipts", () => {
  const deletion = (id: string, completedAt: string | null): DeletionRow => ({
    id,
    website_id: "w",
    completed_at: completedAt,
  });
  const run = (id: string, finishedAt: string) => ({
    id,
    websiteId: null,
    dueAt: finishedAt,
    startedAt: finishedAt,
    finishedAt,
    erased: [],
  });

  test("8: those that finished after a backup are applied again, and those that have not finished", () => {
    const website = (id: string, deletedAt: string) => ({ id, deletedAt });
    const early = {
      ...noReceipts,
      deletions: [deletion("a", null)],
      retention: [run("r", "2026-11-20T00:00:00Z")],
      websites: [website("restored", "2026-11-23T00:00:00Z")],
    };
    const late = {
      ...noReceipts,
      writtenAt: "2026-11-24T01:00:00Z",
      websites: [website("old", "2026-11-20T00:00:00Z"), website("new", "2026-11-23T00:00:00Z")],
      deletions: [deletion("a", "2026-11-24T00:00:00Z"), deletion("b", "2026-11-20T00:00:00Z"), deletion("c", null)],
      retention: [run("r", "2026-11-20T00:00:00Z"), run("s", "2026-11-24T00:00:00Z")],
    };
    for (const sources of [
      [early, late],
      [late, early],
    ]) {
      const after = receiptsAfter(mergeReceipts(sources), Date.parse("2026-11-22T00:00:00Z"));
      expect(after.deletions.map(({ id, completed_at }) => [id, completed_at])).toEqual([
        ["a", "2026-11-24T00:00:00Z"],
        ["c", null],
      ]);
      expect(after.retention.map(({ id }) => id)).toEqual(["s"]);
      expect(after.websites.map(({ id }) => id)).toEqual(["new"]);
    }
  });

  test("are read back as they were written, and anything else is refused", async () => {
    const postgres = { query: async () => ({ rows: [] }) } as never;
    const receipts = await collectReceipts(postgres, 0);
    expect(parseReceipts(JSON.stringify(receipts), "x")).toEqual(receipts);
    for (const text of ["", "null", "{}", '{"deletions":[]}'])
      expect(() => parseReceipts(text, "x"), text).toThrow("x is no file of receipts.");
  });
});
