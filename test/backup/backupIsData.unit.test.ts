import { expect, test } from "vitest";
import { parseManifest } from "../../src/backup/manifest.ts";
import { readHeading } from "../../src/backup/restore/loadPostgres.ts";
import { placeOf } from "../../src/backup/restore/unpackBackup.ts";
import { uncheckedMessage } from "../../src/health/backupCheckSource.ts";

test("a heading is the columns of its table, and nothing else", () => {
  const known = ["id", "name", "from"];
  expect(readHeading('id, "from"', known)).toEqual(["id", "from"]);
  for (const heading of [
    "id) FROM PROGRAM 'id > F; echo' --",
    "id, id",
    "id, gone",
    "",
    '"id"; DROP TABLE x',
    "id,name",
  ])
    expect(readHeading(heading, known), heading).toBeUndefined();
});

test("files have the places that backups have", () => {
  expect(placeOf("data/credentials.json")).toBe("credentials.json");
  expect(placeOf("data/log/events/1/0001.log")).toBe("log/events/1/0001.log");
  expect(placeOf("questdb/.checkpoint/db/events/_txn")).toBe("questdb/.checkpoint/db/events/_txn");
  expect(placeOf("postgres/websites")).toBe("restoring/postgres/websites");
  for (const path of [
    "data/postgres/data/pg_hba.conf",
    "data/postgres/password",
    "data/questdb.password",
    "data/running.json",
    "data/log/../postgres/password",
    "data/../../etc/passwd",
    "data/.lock",
    "data//etc/passwd",
    "questdb/conf/server.conf",
    "questdb/db/../conf/server.conf",
    "postgres/../../x",
    "postgres/web\u0000sites",
    "data/log/a\u0000b",
    "data/log/a\\..\\b",
    "other/x",
    "data/",
  ])
    expect(() => placeOf(path), path).toThrow("which no backup of this version has");
});

const manifest = {
  format: 1,
  migrations: [],
  takenAt: "2026-11-26T00:00:00.000Z",
  postgres: {},
  sequences: {},
  questdb: { events: { "2026-11-25": 3 } },
  parts: [{ name: "log", object: "a".repeat(64), files: [{ path: "data/log/x", bytes: 1, sha256: "b".repeat(64) }] }],
};
const [part] = manifest.parts;

test("a manifest has the types that manifests have", () => {
  expect(parseManifest(JSON.stringify(manifest), "m").parts).toEqual(manifest.parts);
  for (const changed of [
    { parts: [{ ...part, object: "../../../../etc/passwd" }] },
    { parts: [{ ...part, files: [{ path: 7, bytes: 1, sha256: "b".repeat(64) }] }] },
    { parts: [{ ...part, files: [{ path: "data/log/x", bytes: -0.5, sha256: "b".repeat(64) }] }] },
    { parts: [null] },
    { sequences: { a: "1'); --" } },
    { questdb: { events: null } },
    { takenAt: "yesterday" },
    { migrations: "all" },
  ])
    expect(() => parseManifest(JSON.stringify({ ...manifest, ...changed }), "m"), JSON.stringify(changed)).toThrow(
      "is not the manifest of a backup, or is damaged",
    );
});

test("backups are unchecked while the last check failed, and when none was found whole for twice the interval", () => {
  const dayMs = 86_400_000;
  const nowMs = 10 * dayMs;
  const well = { oldestMs: dayMs, wholeMs: 9 * dayMs, failure: null, failedId: "b" };
  expect(uncheckedMessage(well, dayMs, nowMs)).toBeUndefined();
  expect(uncheckedMessage({ ...well, failure: "x is missing" }, dayMs, nowMs)).toBe(
    "the backup b is not whole: x is missing",
  );
  expect(uncheckedMessage({ ...well, wholeMs: 7.9 * dayMs }, dayMs, nowMs)).toContain(
    "no backup was checked since 1970-01-08",
  );
  expect(uncheckedMessage({ ...well, wholeMs: null }, dayMs, nowMs)).toContain(
    "no backup was checked since 1970-01-02",
  );
  expect(uncheckedMessage({ ...well, wholeMs: null, oldestMs: null }, dayMs, nowMs)).toBeUndefined();
});
