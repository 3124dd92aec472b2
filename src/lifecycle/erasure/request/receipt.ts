import type { SpoolAway } from "../disk/whenLogsAreClear.ts";
import type { Deletion } from "./deletionRow.ts";

/** Proves that a deletion is done; stored as it is answered. Times are ISO 8601. */
export type DeletionReceipt = {
  readonly tables: { readonly table: string; readonly rowsBefore: number; readonly rowsAfter: number }[];
  /** UTC days, oldest first. */
  readonly days: string[];
  readonly exportsWithdrawn: string[];
  readonly unreadableAt: string;
  readonly goneAt: string;
  /** Logs that `goneAt` does not cover: their processes did not report. */
  readonly spoolsAway: SpoolAway[];
};

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
