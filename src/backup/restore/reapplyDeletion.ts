import { recordServiceAudit } from "../../audit/recordAudit.ts";
import type { DeletionReceipt } from "../../lifecycle/erasure/deletion/deletionRow.ts";
import { readDeletion } from "../../lifecycle/erasure/deletion/readDeletion.ts";
import { closeRanges } from "../../lifecycle/erasure/guard/blockRanges.ts";
import { beginErasure } from "../../lifecycle/erasure/steps/beginErasure.ts";
import { eraseDeletionRangeEverywhere } from "../../lifecycle/erasure/steps/eraseDeletionRange.ts";
import { removeRowsOfWebsite } from "../../lifecycle/erasure/steps/removeWebsite.ts";
import { settleErasure } from "../../lifecycle/erasure/steps/settleErasure.ts";
import type { ErasureTools } from "../../lifecycle/erasure/stores/erasureTools.ts";
import { inTransaction } from "../../store/postgres/inTransaction.ts";
import type { DeletionRow } from "../receipts/receipts.ts";

export type ReapplyTools = Pick<ErasureTools, "stores" | "records" | "postgres" | "config" | "log">;

/**
 * Repeats a deletion in restored stores, which have the erased rows again. Nothing else runs on them. An incomplete deletion is
 * only recorded again: its workflow starts with the service. Resolves to the number of rows erased; undefined when the backup is
 * older than its website. Safe to repeat.
 */
export async function reapplyDeletion(
  tools: ReapplyTools,
  row: DeletionRow,
  settleMs: number,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { postgres } = tools;
  const { rowCount: found } = await postgres.query("SELECT FROM websites WHERE id = $1", [row.website_id]);
  if (found === 0) return undefined;
  await beginAgain(tools, row);
  if (row.completed_at === null) return 0;
  const { days, isPurge } = await beginErasure(tools, row.id, signal);
  for (const day of days) await eraseDeletionRangeEverywhere(tools, row.id, day, signal);
  await settleErasure(tools, row.id, settleMs, signal);
  if (isPurge) await removeRowsOfWebsite(postgres, row.website_id);
  const { rowsBefore } = await readDeletion(postgres, row.id);
  return Object.values(rowsBefore ?? {}).reduce((sum, count) => sum + count, 0);
}

/** Completes a repeated deletion with its original receipt, to which the repetition is added. */
export async function completeReapplied(
  { postgres }: Pick<ReapplyTools, "postgres">,
  row: DeletionRow,
  rows: number,
  backupTakenAt: string,
): Promise<void> {
  // The column has the result of receiptOf in completeErasure.ts.
  const original = row["receipt"] as DeletionReceipt;
  const again = { backupTakenAt, reappliedAt: new Date().toISOString(), rows };
  const receipt: DeletionReceipt = { ...original, reapplied: [...(original.reapplied ?? []), again] };
  await inTransaction(postgres, async (client) => {
    await closeRanges(client, row.id);
    await client.query(
      `UPDATE deletions SET status = 'completed', phase = 'done', receipt = $2, completed_at = $3,
         gone_at = coalesce(gone_at, clock_timestamp()) WHERE id = $1`,
      [row.id, JSON.stringify(receipt), row.completed_at],
    );
    const origin = { organizationId: String(row["organization_id"]), requestId: String(row["request_id"]) };
    await recordServiceAudit(client, origin, {
      action: "data.erased",
      objectType: "deletion",
      objectId: row.id,
      websiteId: row.website_id,
      after: { receipt },
    });
  });
}

/** Records the deletion as it was requested, with nothing done yet. */
async function beginAgain({ postgres }: Pick<ReapplyTools, "postgres">, row: DeletionRow): Promise<void> {
  await inTransaction(postgres, async (client) => {
    await client.query("DELETE FROM erased_ranges WHERE deletion_id = $1", [row.id]);
    await client.query("DELETE FROM deletions WHERE id = $1", [row.id]);
    await client.query("INSERT INTO deletions SELECT * FROM json_populate_record(NULL::deletions, $1)", [
      JSON.stringify({ ...row, ...nothingDone }),
    ]);
  });
}

const nothingDone = {
  status: "processing",
  phase: "waiting",
  rows_before: null,
  days: null,
  touched_days: null,
  days_done: [],
  rows_after: null,
  unreadable_at: null,
  gone_at: null,
  logs_away: [],
  receipt: null,
  started_at: null,
  completed_at: null,
};
