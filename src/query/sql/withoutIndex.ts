import { indexedColumns, type TableName } from "../../store/questdb/tables.ts";

/**
 * A column for a condition in which QuestDB does not use its index. QuestDB 9.3.4 combines all conditions on an indexed column, and fails with a
 * NullPointerException where they exclude its only value: `id != 'a'`, or `(id = 'a' OR id = 'a') AND id != 'a'`. It does not combine
 * those on a cast column.
 */
export function withoutIndex(table: TableName, column: string): string {
  return indexedColumns[table]?.has(column) ? `${column}::varchar` : column;
}
