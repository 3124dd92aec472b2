import type { TableName, TableRow } from "../../store/questdb/tables.ts";
import { claimCheckOf } from "../../store/write/eventKeys.ts";
import type { Dropped } from "../dropReasons.ts";
import type { RowStore } from "../ingestCall.ts";

/** The rows to store for an item of a request, and the table under which it is counted. */
export type Item = { readonly table: TableName; readonly rows: readonly TableRow[] };

/** Rows of an item, which with an id are stored once, however often and with whatever time they are sent. */
export function claimed(
  type: string,
  ownerId: string,
  eventId: string | undefined,
  rows: readonly TableRow[],
): readonly TableRow[] {
  if (eventId === undefined) return rows;
  const claimCheck = claimCheckOf(ownerId, type, eventId);
  return rows.map((row) => ({ ...row, claimCheck }));
}

/**
 * Stores the rows of a request's items and counts the results; those that are not stored count as left out of their websites only if the
 * request succeeds, since else it is sent again.
 * Resolves when the rows are in the log; rejects with SERVICE_UNAVAILABLE when the log cannot take them.
 */
export async function storeItems(
  { rows, metrics, excluded }: RowStore,
  results: readonly (Item | Dropped)[],
): Promise<void> {
  const items = results.filter((result) => "rows" in result);
  const drops = results.filter((result) => "drop" in result);
  try {
    await rows.write(items.flatMap((item) => item.rows));
    for (const [table, stored] of Map.groupBy(items, (item) => item.table))
      metrics.eventsAccepted.inc({ table }, stored.length);
    for (const drop of drops) excluded.count(drop);
  } catch (error) {
    if (items.length > 0) metrics.eventsDropped.inc({ reason: "store_unavailable" }, items.length);
    throw error;
  } finally {
    for (const [reason, dropped] of Map.groupBy(drops, ({ drop }) => drop.reason))
      metrics.eventsDropped.inc({ reason }, dropped.length);
  }
}
