import type { App } from "../app.ts";
import { RowsRefusedError } from "../store/rowWriter.ts";
import type { TableName, TableRow } from "../store/tables.ts";
import type { DropReason } from "./dropReasons.ts";

/** What is to be stored of an item of a request, and the table under which it is counted. */
export type Item = { readonly table: TableName; readonly rows: readonly TableRow[] };

/**
 * Stores the rows of a request's items and counts what became of each; `drops` are the reasons of those that are not stored. Resolves
 * when the rows are kept, with the items that the store refused; rejects with SERVICE_UNAVAILABLE when neither the store nor
 * the spool can take any now.
 */
export async function storeItems<T extends Item>(
  app: Pick<App, "rows" | "metrics">,
  items: readonly T[],
  drops: readonly DropReason[],
): Promise<ReadonlySet<T>> {
  const dropped = countEach(drops);
  try {
    const refusedRows = await write(
      app.rows,
      items.flatMap(({ rows }) => rows),
    );
    const isRefused = ({ rows }: T) => refusedRows.size > 0 && rows.some((row) => refusedRows.has(row));
    const refused = new Set(items.filter(isRefused));
    if (refused.size > 0) dropped.set("refused_by_store", refused.size);
    const stored = items.flatMap((item) => (refused.has(item) ? [] : item.table));
    for (const [table, count] of countEach(stored)) app.metrics.eventsAccepted.inc({ table }, count);
    return refused;
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

/** Resolves with the rows that the store refused. */
async function write(writer: App["rows"], rows: readonly TableRow[]): Promise<ReadonlySet<TableRow>> {
  try {
    await writer.write(rows);
    return new Set();
  } catch (error) {
    if (!(error instanceof RowsRefusedError)) throw error;
    return error.refused;
  }
}
