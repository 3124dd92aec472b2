import { setTimeout as pause } from "node:timers/promises";
import type { QuestdbReader } from "../store/questdbReader.ts";
import type { TableName } from "../store/tables.ts";

const pauseMs = 50;
const patienceMs = 15_000;

/**
 * Resolves when queries see every row that QuestDB had committed to these tables at the call. Rejects when that takes 15 s, as it does
 * when a table is suspended, and with AbortError when `signal` aborts.
 */
export async function waitUntilApplied(
  questdb: QuestdbReader,
  tables: readonly TableName[],
  signal: AbortSignal,
): Promise<void> {
  const deadlineMs = performance.now() + patienceMs;
  const committed = await readTransactions(questdb, "sequencerTxn");
  for (;;) {
    const applied = await readTransactions(questdb, "writerTxn");
    const behind = tables.filter((table) => (applied.get(table) ?? 0) < (committed.get(table) ?? 0));
    if (behind.length === 0) return;
    if (performance.now() > deadlineMs)
      throw new Error(`QuestDB does not apply what was written to ${behind.join(", ")}; look at wal_tables()`);
    await pause(pauseMs, undefined, { signal });
  }
}

async function readTransactions(
  questdb: QuestdbReader,
  column: "sequencerTxn" | "writerTxn",
): Promise<ReadonlyMap<string, number>> {
  const rows = await questdb.read(`SELECT name, ${column} txn FROM wal_tables()`, []);
  return new Map(rows.map((row) => [String(row["name"]), Number(row["txn"])]));
}
