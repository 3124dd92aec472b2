import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { compiler, failingMaps } from "../kit/pooledReaders/failingMaps.ts";
import { type OwnQuestdb, startOwnQuestdb, whenAllApplied } from "../kit/pooledReaders/ownQuestdb.ts";

const rounds = Number(process.env["FAILED_SQUASH_ROUNDS"] ?? 4);
const tables = ["t1", "t2", "t3", "t4"] as const;
const mostRounds = 40;

type Table = (typeof tables)[number];

let directory: string;
let questdb: OwnQuestdb | undefined;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "lookout-halfway-"));
});
afterEach(async () => {
  await questdb?.stop();
  await rm(directory, { recursive: true, force: true });
});

const days = ["2025-09-01", "2025-09-02", "2025-09-03"] as const;

/** Each joins the splits of a day first; the last day is the one that the writer has open. */
const changes = [
  () => `SQUASH PARTITIONS`,
  (day: string) => `CONVERT PARTITION TO PARQUET LIST '${day}'`,
  (day: string) => `CONVERT PARTITION TO NATIVE LIST '${day}'`,
];

const insert = (table: Table, first: number, rows: number, day: string, second: number, stepMs: number) =>
  `INSERT INTO ${table} SELECT dateadd('T', (x * ${stepMs} + ${second * 1000})::int, '${day}T00:00:00Z'::timestamp), 'w', ${first} + x, ` +
  `'path-' || (${first} + x) || '-longer-than-nine', CASE WHEN x % 2 = 0 THEN null ELSE 'k' || (${first} + x) END FROM long_sequence(${rows})`;

/** What all rows come to, computed from each value. */
const sums =
  "count() AS n, sum(event_key) AS keys, count_distinct(event_key) AS different, sum(length(path)) AS lengths, count(name) AS names, " +
  "count(CASE WHEN path = 'path-' || event_key || '-longer-than-nine' THEN 1 END) AS right";

/** Waits until each change was applied or has failed, which suspends its table. */
async function whenTried(exec: OwnQuestdb["exec"]): Promise<void> {
  const waiting = "SELECT count() FROM wal_tables() WHERE NOT suspended AND writerTxn < sequencerTxn";
  // The question itself may fail meanwhile.
  for (let left = 400; left > 0; left -= 1) {
    await sleep(250);
    if ((await exec(waiting).catch(() => []))[0]?.[0] === 0) return;
  }
}

test("7: no row is lost when joining the splits of a day fails halfway within SQUASH and CONVERT PARTITION, and rows follow", {
  timeout: 1_200_000,
}, async (context) => {
  if (compiler === undefined) context.skip("there is no C compiler");
  const during = join(directory, "maps-fail");
  questdb = await startOwnQuestdb(join(directory, "data"), {
    QDB_CAIRO_O3_PARTITION_SPLIT_MIN_SIZE: "4K",
    QDB_CAIRO_O3_LAST_PARTITION_MAX_SPLITS: "20",
    ...(await failingMaps(directory, 16, during)),
  });
  const { exec } = questdb;
  const sent = new Map<Table, number>();
  const send = async (table: Table, rows: number, day: string, second: number, stepMs: number) => {
    const first = sent.get(table) ?? 0;
    await exec(insert(table, first, rows, day, second, stepMs));
    sent.set(table, first + rows);
  };
  const wrong: unknown[] = [];
  const check = async (when: string) => {
    for (const table of tables) {
      const n = sent.get(table) ?? 0;
      const [found = []] = await exec(`SELECT ${sums} FROM ${table}`);
      const [[ofPartitions] = []] = await exec(`SELECT sum(numRows) FROM table_partitions('${table}')`);
      const [rows, keys, different, , , right] = found;
      if (![rows, different, right, ofPartitions].every((each) => each === n) || keys !== (n * (n + 1)) / 2)
        wrong.push({ when, table, sent: n, found, ofPartitions });
    }
  };
  const suspendedNow = async () =>
    (await exec("SELECT name FROM wal_tables() WHERE suspended")).map(([name]) => String(name));

  for (const table of tables) {
    await exec(
      `CREATE TABLE ${table} (ts TIMESTAMP, website_id SYMBOL INDEX, event_key LONG, path VARCHAR, name VARCHAR) ` +
        "TIMESTAMP(ts) PARTITION BY DAY WAL DEDUP UPSERT KEYS(ts, website_id, event_key)",
    );
    for (const day of days) await send(table, 4_800, day, 0, 10_000);
  }
  await whenAllApplied(questdb);

  const counts = { changes: 0, suspensions: 0, splits: 0, halfway: 0 };
  // Which of QuestDB's mappings fails differs from run to run, so it goes on until one was within a join.
  for (let round = 1; round <= rounds || (counts.halfway === 0 && round <= mostRounds); round += 1) {
    // A part is split where what is before the late rows is more than twice what is after them.
    for (const second of [36_000, 45_000, 47_250, 47_800]) {
      for (const table of tables) for (const day of days) await send(table, 30, day, second + round * 17, 7);
      await whenAllApplied(questdb);
    }
    const [[parts] = []] = await exec(
      tables.map((t) => `SELECT count() n FROM table_partitions('${t}')`).join(" UNION ALL "),
    );
    counts.splits = Math.max(counts.splits, Number(parts) - days.length);
    await writeFile(during, "");
    for (const [index, table] of tables.entries()) {
      const change = changes[(round + index) % changes.length];
      const day = days[(round + index) % days.length] ?? days[0];
      await exec(`ALTER TABLE ${table} ${change?.(day)}`).catch(() => undefined);
      counts.changes += 1;
    }
    await whenTried(exec);
    await rm(during);
    const suspended = await suspendedNow();
    counts.suspensions += suspended.length;
    await check(`round ${round}, after the change failed`);
    for (const table of suspended) await exec(`ALTER TABLE ${table} RESUME WAL`);
    await whenAllApplied(questdb);
    await check(`round ${round}, resumed`);
    for (const table of tables) for (const day of days) await send(table, 25, day, 50_000 + round * 500, 3);
    await whenAllApplied(questdb);
    await check(`round ${round}, after more rows`);
    // Parquet partitions take no splits.
    for (const table of tables)
      for (const day of days) await exec(`ALTER TABLE ${table} CONVERT PARTITION TO NATIVE LIST '${day}'`);
    await whenAllApplied(questdb);
    await check(`round ${round}, native again`);
    const log = await questdb.readLog();
    counts.halfway = log.split("\n").filter((line) => line.includes("partition squashing failed")).length;
    if (wrong.length > 0) break;
  }
  console.log("[failed squash]", { ...counts, wrong: wrong.length });
  expect(wrong.slice(0, 3)).toEqual([]);
  // So at least one day has more than one, and a join can fail after another split was joined.
  expect(counts.splits).toBeGreaterThan(days.length);
  expect(counts.halfway).toBeGreaterThan(0);
});
