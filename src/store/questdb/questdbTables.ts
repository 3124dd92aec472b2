import type { Logger } from "pino";
import { retry } from "../../concurrency/retry.ts";
import type { Config } from "../../config.ts";
import { StartFailure } from "../../errors/startFailure.ts";
import { executeStatement } from "./executeStatement.ts";
import { columnsOfTable, createTableStatements, indexedColumns, type TableName, tableNames } from "./tables.ts";

/** A table exists but is not as the service needs it. The message says what differs. */
export class QuestdbTablesError extends StartFailure {
  override name = "QuestdbTablesError";
}

/**
 * Creates missing tables, columns and indexes, and checks that each table has a WAL and deduplication and each column
 * its type. Waits for QuestDB to become reachable until `signal` aborts.
 *
 * Rejects with QuestdbTablesError when a table differs, and with the signal's reason.
 */
export async function prepareQuestdbTables(
  settings: Pick<Config["questdb"], "http" | "queryTimeoutMs">,
  log: Pick<Logger, "warn">,
  signal: AbortSignal,
): Promise<void> {
  const run = (statement: string) =>
    retry(() => executeStatement(settings.http, statement, settings.queryTimeoutMs, signal), {
      minWaitMs: 100,
      maxWaitMs: 5_000,
      stop: signal,
      onRetry: (error, waitMs) => log.warn({ reason: reasonOf(error), waitMs }, "QuestDB is not ready, trying again"),
    });
  for (const statement of createTableStatements()) await run(statement);
  const tables = await run("SELECT table_name, walEnabled, dedup FROM tables()");
  for (const table of tableNames) {
    const found = tables.find(([name]) => name === table);
    if (found?.[1] !== true || found[2] !== true)
      throw new QuestdbTablesError(
        `QuestDB's table ${table} must have WAL and DEDUP enabled; rename it and start again`,
      );
    const columns = await run(`SELECT "column", type, indexed FROM table_columns('${table}')`);
    const typeOfColumn = new Map(columns.map(([name, type]) => [String(name), String(type)]));
    for (const statement of missingColumns(table, typeOfColumn)) await run(statement);
    const indexed = new Set(columns.flatMap(([name, , isIndexed]) => (isIndexed === true ? [String(name)] : [])));
    for (const column of indexedColumns[table] ?? [])
      if (!indexed.has(column)) await run(`ALTER TABLE ${table} ALTER COLUMN ${column} ADD INDEX`);
  }
}

/**
 * Statements that add what a newer version of the service needs. Throws QuestdbTablesError for a column of another
 * type.
 */
function missingColumns(table: TableName, typeOfColumn: ReadonlyMap<string, string>): string[] {
  return Object.entries(columnsOfTable[table]).flatMap(([name, kind]) => {
    const type = typeOfColumn.get(name);
    if (type === undefined) return `ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS ${name} ${kind}`;
    if (type === kind) return [];
    throw new QuestdbTablesError(
      `QuestDB's column ${table}.${name} is ${type} and must be ${kind}; rename the table and start again`,
    );
  });
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
