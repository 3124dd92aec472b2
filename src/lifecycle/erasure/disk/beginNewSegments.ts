import { advisoryLocks } from "../../../store/postgres/advisoryLocks.ts";
import { inTransaction } from "../../../store/postgres/inTransaction.ts";
import type { QuestdbReader } from "../../../store/questdb/questdbReader.ts";
import type { TableName } from "../../../store/questdb/tables.ts";
import { whenApplied } from "../../../store/questdb/whenApplied.ts";
import type { ErasureTools } from "../steps/erasureTools.ts";
import { rollColumn, tombstoneWebsiteId } from "../steps/tombstone.ts";

/**
 * Makes every writer of a table begin a new segment of its log with its next row, and our own at once. A change of columns is all that
 * does so before the 200,000th row of a segment: a column is added and dropped again.
 */
export async function beginNewSegments(
  { questdb, postgres }: Pick<ErasureTools, "questdb" | "postgres">,
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
    await whenApplied(questdb, table, signal);
  });
}

/** Counts the changes of a table's columns. */
export async function columnsVersion(questdb: QuestdbReader, table: TableName): Promise<number> {
  const [row] = await questdb.read(
    `SELECT structureVersion version FROM wal_transactions('${table}') ORDER BY sequencerTxn DESC LIMIT 1`,
    [],
  );
  return Number(row?.["version"] ?? 0);
}
