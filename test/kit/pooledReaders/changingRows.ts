import { randomUUID } from "node:crypto";
import { columns, type tables } from "./fixedRows.ts";
import type { OwnQuestdb } from "./ownQuestdb.ts";

/** Keys of rows differ in all tables and rounds. */
let lastKey = 100_000;
let lastColumn = 0;

/**
 * Changes rows of other websites beside the fixed ones, one round: late rows into days that have rows, with new values of SYMBOLs; now and then
 * an UPDATE, a new column, and a dropped day. A table that QuestDB has suspended is resumed, as the service does.
 */
export async function changeRows({ exec }: OwnQuestdb, table: (typeof tables)[number], round: number): Promise<void> {
  const day = String(1 + Math.floor(Math.random() * 13)).padStart(2, "0");
  const size = 200 + Math.floor(Math.random() * 800);
  const website = round % 5 === 0 ? randomUUID() : `other-${table}`;
  lastKey += 2_000;
  const symbols = columns.map((name) => `'${name}' || (x + ${round * 40})`);
  await exec(
    `INSERT INTO ${table} (ts, website_id, event_key, event_type, session_key, path, ${columns.join(", ")}) ` +
      `SELECT dateadd('s', (x * 29)::int, '2025-09-${day}T0${round % 10}:00:00Z'::timestamp), '${website}', ${lastKey} + x, 'custom', x, ` +
      `'p' || x || 'longer than nine', ${symbols.join(", ")} FROM long_sequence(${size})`,
  );
  if (round % 17 === 0) await exec(`UPDATE ${table} SET path = null, city = null WHERE website_id = 'other-${table}'`);
  if (round % 40 === 0) await exec(`ALTER TABLE ${table} ADD COLUMN c${++lastColumn} INT`);
  if (round % 23 === 0) {
    await exec(
      `INSERT INTO ${table} (ts, website_id, event_key) VALUES ('2024-01-0${1 + (round % 9)}T00:00:00Z', '${website}', ${lastKey})`,
    );
    await exec(`ALTER TABLE ${table} DROP PARTITION WHERE ts < '2024-06-01'`);
  }
  const [health] = await exec(`SELECT suspended FROM wal_tables() WHERE name = '${table}'`);
  if (health?.[0] === true) await exec(`ALTER TABLE ${table} RESUME WAL`);
}
