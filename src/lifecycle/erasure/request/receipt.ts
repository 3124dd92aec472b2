import type { Deletion, DeletionReceipt } from "./deletionRow.ts";

/** The receipt of a deletion whose erasure is done. */
export function receiptOf(deletion: Deletion): DeletionReceipt {
  const { rowsBefore, rowsAfter, days, unreadableMs, goneMs, exportsWithdrawn, spoolsAway } = deletion;
  if (rowsBefore === null || rowsAfter === null || days === null || unreadableMs === null || goneMs === null)
    throw new Error(`The erasure of deletion ${deletion.id} is not done`);
  return {
    tables: Object.entries(rowsBefore).map(([table, count]) => ({
      table,
      rowsBefore: count,
      rowsAfter: rowsAfter[table] ?? 0,
    })),
    days: [...days].sort(),
    exportsWithdrawn: [...exportsWithdrawn],
    unreadableAt: new Date(unreadableMs).toISOString(),
    goneAt: new Date(goneMs).toISOString(),
    spoolsAway: [...spoolsAway],
  };
}
