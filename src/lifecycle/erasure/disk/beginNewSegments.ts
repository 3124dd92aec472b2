import { advisoryLocks } from "../../../store/postgres/advisoryLocks.ts";
import { inTransaction } from "../../../store/postgres/inTransaction.ts";
import type { QuestdbReader } from "../../../store/questdb/questdbReader.ts";
import type { TableName } from "../../../store/questdb/tables.ts";
import { rollColumn, tombstoneWebsiteId } from "../../../store/questdb/tombstone.ts";
import { whenApplied } from "../../../store/questdb/whenApplied.ts";
import type { NodeTools } from "../stores/erasureTools.ts";

/**
 * Makes every writer of a table start a new segment of its write-ahead log with its next row, and writes one such row
 * at once. Before the 200,000th row of a segment only a change of columns does that, so a column is added and dropped
 * again.
 */
export async function beginNewSegments(
  { questdb, postgres }: NodeTools,
  table: TableName,
  signal: AbortSignal,
): Promise<void> {
  await inTransaction(postgres, async (client) => {
    await client.query("SELECT pg_advisory_xact_lock($1, hashtext($2))", [advisoryLocks.newSegments, table]);
    await questdb.change(`ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS ${rollColumn} BYTE`);
    await questdb.change(`ALTER TABLE ${table} DROP COLUMN ${rollColumn}`);
    const [newest] = await questdb.read(`SELECT max(ts) "last" FROM ${table}`, [], { signal });
    const last = new Date(Number(newest?.["last"] ?? 0)).toISOString();
    await questdb.change(`INSERT INTO ${table} (ts, website_id) VALUES ('${last}', '${tombstoneWebsiteId}')`);
    await whenApplied(questdb, [table], signal);
  });
}

/** A counter that grows with each change of a table's columns. */
export async function columnsVersion(questdb: QuestdbReader, table: TableName): Promise<number> {
  const [row] = await questdb.read(
    `SELECT structureVersion version FROM wal_transactions('${table}') ORDER BY sequencerTxn DESC LIMIT 1`,
    [],
  );
  return Number(row?.["version"] ?? 0);
}
