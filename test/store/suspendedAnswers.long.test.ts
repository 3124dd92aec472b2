import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { compiler, failingMaps } from "../kit/pooledReaders/failingMaps.ts";
import { makeFixedRows, openAsking, statements, tables } from "../kit/pooledReaders/fixedRows.ts";
import { type OwnQuestdb, startOwnQuestdb, whenAllApplied } from "../kit/pooledReaders/ownQuestdb.ts";

/** Tables are suspended and resumed so often, by a failed mapping within one of these changes each time. */
const rounds = Number(process.env["SUSPENDED_ROUNDS"] ?? 3);

/** Connections, so that a statement meets different readers of QuestDB's pool. */
const readers = 8;

let directory: string;
let questdb: OwnQuestdb | undefined;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "lookout-failing-"));
});
afterEach(async () => {
  await questdb?.stop();
  await rm(directory, { recursive: true, force: true });
});

type Table = (typeof tables)[number];

const changes = [
  (table: Table) => `UPDATE ${table} SET path = null, city = null WHERE website_id = 'other'`,
  (table: Table) => `ALTER TABLE ${table} SQUASH PARTITIONS`,
  (table: Table, round: number) => `ALTER TABLE ${table} ADD COLUMN c${round} INT`,
];

/** Rows of another website, late in a day that has rows, so that its partition is split. */
const lateRows = (table: Table, firstKey: number, rows: number, day: number) =>
  `INSERT INTO ${table} (ts, website_id, event_key, event_type, session_key, path, city) ` +
  `SELECT dateadd('s', (x * 29)::int, '2025-09-${String(day).padStart(2, "0")}T05:00:00Z'::timestamp), 'other', ${firstKey} + x, 'custom', x, ` +
  `'p' || x || 'longer than nine', 'city' || x FROM long_sequence(${rows})`;

test("7: answers are exact while tables are suspended by a failed mapping, and after they are resumed, with every row", {
  timeout: 1_800_000,
}, async (context) => {
  if (compiler === undefined) context.skip("there is no C compiler");
  const during = join(directory, "maps-fail");
  questdb = await startOwnQuestdb(join(directory, "data"), {
    QDB_CAIRO_O3_PARTITION_SPLIT_MIN_SIZE: "20K",
    QDB_CAIRO_O3_LAST_PARTITION_MAX_SPLITS: "3",
    ...(await failingMaps(directory, 60, during)),
  });
  const { exec } = questdb;
  await makeFixedRows(questdb);
  const { ask, close } = openAsking(questdb, readers);
  const expected = new Map<string, string>();
  for (const statement of statements) expected.set(statement, await ask(statement));

  const counts = new Map<Table, number>();
  for (const table of tables) counts.set(table, Number((await exec(`SELECT count() FROM ${table}`))[0]?.[0]));
  const isSuspended = async () =>
    new Map(
      (await exec("SELECT name, suspended FROM wal_tables()")).map(([name, suspended]) => [name, suspended === true]),
    );
  let nextKey = 100_000;
  const wrong: { round: number; when: string; statement: string; found: string; expected: string }[] = [];
  const check = async (round: number, when: string) => {
    for (const statement of statements) {
      const asked = Array.from({ length: readers }, (_, each) =>
        ask(each % 2 === 0 ? statement : `${statement} -- ${round} ${each}`),
      );
      for (const found of await Promise.all(asked))
        if (found !== expected.get(statement))
          wrong.push({ round, when, statement, found, expected: expected.get(statement) ?? "" });
    }
  };

  let suspensions = 0;
  const causes = new Map<string, number>();
  for (let round = 1; round <= rounds; round += 1) {
    await writeFile(during, "");
    let isFailing = true;
    const read = async () => {
      while (isFailing)
        await ask(`${statements[Math.floor(Math.random() * statements.length)]} -- ${Math.random()}`).catch(
          () => undefined,
        );
    };
    const change = async (table: Table) => {
      for (let attempt = 0; attempt < 20 && isFailing; attempt += 1) {
        const rows = 100 + attempt * 10;
        try {
          await exec(lateRows(table, nextKey, rows, 1 + ((round + attempt) % 13)));
          counts.set(table, (counts.get(table) ?? 0) + rows);
        } catch {
          // Not committed: the mapping failed before.
        }
        nextKey += 1_000;
        const statement = changes[(round + attempt) % changes.length]?.(table, round * 100 + attempt);
        await exec(statement ?? "").catch(() => undefined);
        if ((await isSuspended().catch(() => new Map())).get(table) === true) return;
      }
    };
    const reading = Array.from({ length: readers }, read);
    await Promise.all(tables.map(change));
    await sleep(500);
    isFailing = false;
    await Promise.all(reading);
    await rm(during);
    for (const [name, isNow] of await isSuspended())
      if (isNow) suspensions += tables.some((table) => table === name) ? 1 : 0;
    for (const [message] of await exec("SELECT errorMessage FROM wal_tables() WHERE suspended"))
      causes.set(
        String(message).replaceAll(/\d+/g, "#").slice(0, 120),
        (causes.get(String(message).replaceAll(/\d+/g, "#").slice(0, 120)) ?? 0) + 1,
      );
    await check(round, "while suspended");
    for (const [name, isNow] of await isSuspended()) if (isNow) await exec(`ALTER TABLE ${name} RESUME WAL`);
    await whenAllApplied(questdb);
    await check(round, "after it was resumed");
    for (const table of tables) {
      const [[rows] = []] = await exec(`SELECT count() FROM ${table}`);
      const [[ofPartitions] = []] = await exec(`SELECT sum(numRows) FROM table_partitions('${table}')`);
      if (rows !== counts.get(table) || ofPartitions !== rows)
        wrong.push({
          round,
          when: "all rows",
          statement: table,
          found: `${rows} of ${ofPartitions}`,
          expected: String(counts.get(table)),
        });
    }
    if (wrong.length > 0) break;
  }
  await close();
  console.log("[suspended]", { rounds, suspensions, causes: Object.fromEntries(causes), wrong: wrong.length });
  expect(wrong.slice(0, 3)).toEqual([]);
  expect(suspensions).toBeGreaterThan(0);
  expect(questdb.said).toEqual([]);
});
