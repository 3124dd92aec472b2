import { Context } from "@temporalio/activity";
import { putReceipts } from "../../src/backup/keepBackups.ts";
import type { DeletionReceipt } from "../../src/lifecycle/erasure/deletion/deletionRow.ts";
import { readDeletion } from "../../src/lifecycle/erasure/deletion/readDeletion.ts";
import { releaseBytes } from "../../src/lifecycle/erasure/disk/releaseBytes.ts";
import { endRangesNow } from "../../src/lifecycle/erasure/guard/blockRanges.ts";
import { startPlannedDeletions } from "../../src/lifecycle/erasure/request/startDeletion.ts";
import { awaitTurn } from "../../src/lifecycle/erasure/steps/awaitTurn.ts";
import { beginErasure } from "../../src/lifecycle/erasure/steps/beginErasure.ts";
import { completeErasure } from "../../src/lifecycle/erasure/steps/completeErasure.ts";
import { eraseDeletionRangeEverywhere } from "../../src/lifecycle/erasure/steps/eraseDeletionRange.ts";
import { erasedTables } from "../../src/lifecycle/erasure/steps/erasedTables.ts";
import { planPurges } from "../../src/lifecycle/erasure/steps/planPurges.ts";
import { removeWebsite } from "../../src/lifecycle/erasure/steps/removeWebsite.ts";
import { eraseLateRows, settleErasure } from "../../src/lifecycle/erasure/steps/settleErasure.ts";
import type { ErasureTools } from "../../src/lifecycle/erasure/stores/erasureTools.ts";
import { withdrawExports } from "../../src/lifecycle/export/run/withdrawExports.ts";
import { inTransaction } from "../../src/store/postgres/inTransaction.ts";
import { step } from "../activityStep.ts";
import { reportProgress } from "../heartbeat.ts";

export type ErasureActivities = ReturnType<typeof createErasureActivities>;

/**
 * The steps of an erasure; each may be repeated by another worker. A deletion is passed by its id; its scope is in
 * PostgreSQL.
 *
 * The name of an activity is in the histories of runs in flight, so it stays when its function gets another one.
 */
export function createErasureActivities(tools: ErasureTools, settleMs: number) {
  const given = () => tools;
  return {
    awaitTurn: step(given, awaitTurn),
    beginErasure: step(given, beginErasure),
    eraseDeletionDay: step(given, eraseDeletionRangeEverywhere),
    /** Lets rows received from now on be stored. */
    endRangesNow: (id: string) => inTransaction(tools.postgres, (client) => endRangesNow(client, id)),
    settleErasure: (id: string) => settleErasure(tools, id, settleMs, cancelled()),
    verifyErased: step(given, eraseLateRows),

    /** Withdraws the exports that contain erased rows. Resolves to their number. */
    async withdrawExportsOf(id: string): Promise<number> {
      const deletion = await readDeletion(tools.postgres, id);
      const { websiteId, fromMs, untilMs } = deletion;
      const erased = { websiteId, fromMs, toMs: untilMs, tables: erasedTables(deletion), deletionId: id };
      const withdrawn = await withdrawExports(tools, erased, reportProgress, cancelled());
      await tools.postgres.query("UPDATE deletions SET exports_withdrawn = $2 WHERE id = $1", [id, withdrawn]);
      return withdrawn.length;
    },

    releaseBytes: (id: string) => releaseBytes(tools, id, reportProgress, cancelled()),

    /** Also puts the receipt beside the backups, from where a restore reads what to erase again. */
    async completeErasure(id: string): Promise<DeletionReceipt> {
      const receipt = await completeErasure(tools, id);
      await putReceipts(tools);
      return receipt;
    },

    removeWebsite: step(given, removeWebsite),
    planPurges: () => planPurges(tools.postgres),
    startPlannedDeletions: () => startPlannedDeletions(tools, tools.log),
  };
}

/** Aborts when the running activity is cancelled or its worker stops. */
function cancelled(): AbortSignal {
  return Context.current().cancellationSignal;
}
