import type { TableName, TableRow } from "../../store/questdb/tables.ts";
import type { Dropped } from "../dropReasons.ts";
import type { RowStore } from "../ingestCall.ts";

/** The rows to store for an item of a request, and the table under which it is counted. */
export type Item = { readonly table: TableName; readonly rows: readonly TableRow[] };

/**
 * Stores the rows of a request's items and counts the results; `drops` are those that are not stored. They count as left out of
 * their websites only if the request succeeds, since else it is sent again.
 * Resolves when the rows are in the log; rejects with SERVICE_UNAVAILABLE when the log cannot take them.
 */
export async function storeItems(app: RowStore, items: readonly Item[], drops: readonly Dropped[]): Promise<void> {
  const dropped = countEach<string>(drops.map(({ drop }) => drop.reason));
  try {
    await app.rows.write(items.flatMap(({ rows }) => rows));
    for (const [table, count] of countEach(items.map(({ table }) => table)))
      app.metrics.eventsAccepted.inc({ table }, count);
    for (const drop of drops) app.excluded.count(drop);
  } catch (error) {
    if (items.length > 0) dropped.set("store_unavailable", items.length);
    throw error;
  } finally {
    for (const [reason, count] of dropped) app.metrics.eventsDropped.inc({ reason }, count);
  }
}

function countEach<T>(values: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
