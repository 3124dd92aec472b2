import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import {
  isPartOf,
  partitionsOfDay,
  readPartitionDirectory,
  stalePartitionDirectories,
} from "../../src/store/questdb/partitionNames.ts";
import { QuestdbReader } from "../../src/store/questdb/questdbReader.ts";
import { holdPartition } from "../kit/stores/heldPartition.ts";

const { questdbHttp, questdbPg, dataDir } = inject("lookout");
let questdb: QuestdbReader;
const made: string[] = [];
beforeAll(() => {
  questdb = new QuestdbReader(readConfig({ QUESTDB_HTTP: questdbHttp, QUESTDB_PG: questdbPg }).questdb);
});
afterAll(async () => {
  for (const table of made) await questdb.change(`DROP TABLE ${table}`);
  await questdb.close();
});

/** Creates a table and returns a function that lists its directories and the names of its partitions. */
async function makeTable(partitioning: string) {
  const table = `partitions_${partitioning.toLowerCase()}_${randomUUID().slice(0, 8)}`;
  await questdb.change(
    `CREATE TABLE ${table} (ts TIMESTAMP, a LONG, b LONG256) TIMESTAMP(ts) PARTITION BY ${partitioning} WAL`,
  );
  made.push(table);
  const [row] = await questdb.read("SELECT directoryName name FROM tables() WHERE table_name = $1", [table]);
  const path = join(dataDir, "questdb/db", String(row?.["name"]));
  return {
    table,
    directories: async () => (await readdir(path)).filter((name) => /^\d/.test(name)).sort(),
    partitions: async () => {
      const rows = await questdb.read(`SELECT name FROM table_partitions('${table}') WHERE NOT detached`, []);
      return rows.map(({ name }) => String(name)).sort();
    },
    change: async (statement: string) => {
      await questdb.change(statement);
      await expect
        .poll(async () => {
          const [state] = await questdb.read(
            `SELECT suspended, writerTxn = sequencerTxn "isApplied" FROM wal_tables() WHERE name = $1`,
            [table],
          );
          return state;
        })
        .toEqual({ suspended: false, isApplied: true });
    },
  };
}

const insert = (table: string, from: string, rows: number, stepUs: number) =>
  `INSERT INTO ${table} SELECT dateadd('u', (x * ${stepUs})::int, '${from}'::timestamp), x, null FROM long_sequence(${rows})`;

describe.each([
  ["HOUR", "2016-01-08T08"],
  ["DAY", "2016-01-08"],
  ["WEEK", "2016-W01"],
  ["MONTH", "2016-01"],
  ["YEAR", "2016"],
])("QuestDB's directories of a table partitioned by the %s", (partitioning, name) => {
  test("are each recognised, also rewritten, split, converted, dropped or detached", async () => {
    const { table, directories, partitions, change } = await makeTable(partitioning);
    const known = async () => (await directories()).map((one) => readPartitionDirectory(one)?.partition);
    const stale = async () => stalePartitionDirectories(await directories(), new Set(await partitions()));
    await change(insert(table, "2014-12-29T05:00:00.000000Z", 10, 1_000_000));
    await change(insert(table, "2016-01-08T08:00:00.000000Z", 1_200_000, 1_000));
    expect(await known()).toEqual(await partitions());
    expect(await partitions()).toContain(name);
    expect(await stale()).toEqual([]);

    // Rows of the middle of a partition of 50 MB and more: the part after them is split off.
    await change(insert(table, "2016-01-08T08:19:59.500000Z", 3, 1));
    expect(await partitions()).toHaveLength(3);
    const parts = (await partitions()).filter((one) => isPartOf(one, name));
    expect(parts).toHaveLength(partitioning === "DAY" || partitioning === "WEEK" ? 2 : 1);
    expect(new Set(await known())).toEqual(new Set(await partitions()));

    const before = await directories();
    const release = await holdPartition(table, "a > 0");
    const oldest = (await partitions())[0];
    for (const to of ["PARQUET", "NATIVE"])
      await change(`ALTER TABLE ${table} CONVERT PARTITION TO ${to} LIST '${oldest}', '${name}'`);
    await change(`ALTER TABLE ${table} DROP PARTITION LIST '${oldest}'`);
    expect(await partitions()).toContain(name);
    expect(await stale()).toEqual(expect.arrayContaining(before));
    release();
    await expect
      .poll(
        async () => {
          await questdb.change(`VACUUM TABLE ${table}`);
          return await stale();
        },
        { timeout: 100_000 },
      )
      .toEqual([]);
    expect(await known()).toEqual(await partitions());

    await change(insert(table, "2017-05-05T05:00:00.000000Z", 1, 1));
    await change(`ALTER TABLE ${table} DETACH PARTITION LIST '${name}'`);
    expect(await directories()).toContain(`${name}.detached`);
    expect(readPartitionDirectory(`${name}.detached`)).toBeUndefined();
  });
});

test("a day is in the partition of its ISO week, also around the end of a year", () => {
  const weeks = ["2015-12-28", "2016-01-03", "2016-01-04", "2027-01-01"].map((day) => partitionsOfDay(day).week);
  expect(weeks).toEqual(["2015-W53", "2015-W53", "2016-W01", "2026-W53"]);
});

test("a directory that looks like a partition's but is not recognised is not skipped", () => {
  expect(() => readPartitionDirectory("2026-Q4.7")).toThrow("2026-Q4.7");
  for (const name of ["wal1", "txn_seq", "_txn", "_cv", "_todo_"]) expect(readPartitionDirectory(name)).toBeUndefined();
});
