import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTableStatements } from "../../src/store/questdb/tables.ts";
import { type OwnQuestdb, startOwnQuestdb, whenAllApplied } from "../kit/pooledReaders/ownQuestdb.ts";

const settings = { QDB_CAIRO_O3_PARTITION_SPLIT_MIN_SIZE: "20K", QDB_CAIRO_O3_LAST_PARTITION_MAX_SPLITS: "3" };
const columns = ["name", "path", "title", "properties"] as const;

let directory: string;
let questdb: OwnQuestdb | undefined;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "lookout-squash-"));
});
afterEach(async () => {
  await questdb?.stop();
  await rm(directory, { recursive: true, force: true });
});

/** What the text of a row is: null, empty, short enough to stand in the column's index (nine bytes), not ASCII, or up to 300 characters. */
function textOf(key: number): string | null {
  if (key % 5 === 0) return null;
  if (key % 5 === 1) return `s${key}`;
  if (key % 5 === 2) return `${"x".repeat(key % 300)}e`;
  return key % 5 === 3 ? `ü${key}-longer than nine` : "";
}

/** The same in SQL. */
const textSql = (key: string) =>
  `CASE WHEN (${key}) % 5 = 0 THEN null WHEN (${key}) % 5 = 1 THEN 's' || (${key}) ` +
  `WHEN (${key}) % 5 = 2 THEN lpad('e', (1 + (${key}) % 300)::int, 'x') ` +
  `WHEN (${key}) % 5 = 3 THEN 'ü' || (${key}) || '-longer than nine' ELSE '' END`;

test("7: late rows that split the last day, and squashing it, keep every text, also after more rows and a restart", {
  timeout: 600_000,
}, async () => {
  const start = async () => startOwnQuestdb(join(directory, "data"), settings);
  let own = await start();
  questdb = own;
  for (const statement of createTableStatements()) if (/ events /.test(statement)) await own.exec(statement);

  let sent = 0;
  /** Rows from that second of the day on. */
  const send = async (rows: number, second: number, stepMs: number) => {
    const key = `${sent} + x`;
    await own.exec(
      `INSERT INTO events (ts, website_id, event_key, event_type, ${columns.join(", ")}) ` +
        `SELECT dateadd('T', (x * ${stepMs} + ${second * 1000})::int, '2025-09-01T00:00:00Z'::timestamp), 'w', ${key}, 'page_view', ` +
        `${columns.map((_, index) => textSql(`${key} + ${index}`)).join(", ")} FROM long_sequence(${rows})`,
    );
    sent += rows;
    await whenAllApplied(own);
  };
  const wrong: unknown[] = [];
  const check = async (when: string) => {
    const rows = await own.exec(`SELECT event_key, ${columns.join(", ")} FROM events ORDER BY event_key`);
    if (rows.length !== sent) wrong.push({ when, rows: rows.length, sent });
    for (const [key, ...texts] of rows)
      for (const [index, text] of texts.entries())
        if (text !== textOf(Number(key) + index)) wrong.push({ when, key, column: columns[index], text });
  };
  const parts = async () => Number((await own.exec("SELECT count() FROM table_partitions('events')"))[0]?.[0]);

  await send(1_500, 0, 10_000);
  let [splits, joined] = [0, 0];
  for (let round = 1; round <= 12; round += 1) {
    const before = await parts();
    await send(40 + round * 25, 14_000 - (round % 5) * 2_500, 11);
    await check(`late rows ${round}`);
    const after = await parts();
    if (after > before) splits += 1;
    if (after < before) joined += 1;
    if (round % 3 !== 0) continue;
    await own.exec("ALTER TABLE events SQUASH PARTITIONS");
    await whenAllApplied(own);
    if ((await parts()) < after) joined += 1;
    await check(`SQUASH PARTITIONS ${round}`);
    await send(30 * round, 15_100 + round * 1_000, 700);
    await check(`rows in order ${round}`);
    if (round % 6 !== 0) continue;
    await own.stop();
    own = await start();
    questdb = own;
    await check(`restart ${round}`);
    await send(50, 15_050 + round * 1_000, 13);
    await check(`rows after the restart ${round}`);
  }
  console.log("[squashed texts]", { sent, splits, joined, wrong: wrong.length });
  expect(wrong.slice(0, 3)).toEqual([]);
  expect(splits).toBeGreaterThan(0);
  expect(joined).toBeGreaterThan(0);
});
