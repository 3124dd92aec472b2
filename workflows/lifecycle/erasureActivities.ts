import { Context } from "@temporalio/activity";
import { putReceipts } from "../../src/backup/keepBackups.ts";
import type { DeletionReceipt } from "../../src/lifecycle/erasure/deletion/deletionRow.ts";
import { readDeletion } from "../../src/lifecycle/erasure/deletion/readDeletion.ts";
import { releaseBytes } from "../../src/lifecycle/erasure/disk/releaseBytes.ts";
import { endRangesNow } from "../../src/lifecycle/erasure/guard/blockRanges.ts";
import { startPlannedDeletions } from "../../src/lifecycle/erasure/request/startDeletion.ts";
import { awaitTurn } from "../../src/lifecycle/erasure/steps/awaitTurn.ts";
import { beginErasure, type ErasurePlan } from "../../src/lifecycle/erasure/steps/beginErasure.ts";
import { completeErasure } from "../../src/lifecycle/erasure/steps/completeErasure.ts";
import { eraseDeletionRangeEverywhere } from "../../src/lifecycle/erasure/steps/eraseDeletionRange.ts";
import { erasedTables } from "../../src/lifecycle/erasure/steps/erasedTables.ts";
import { planPurges } from "../../src/lifecycle/erasure/steps/planPurges.ts";
import { removeWebsite } from "../../src/lifecycle/erasure/steps/removeWebsite.ts";
import { eraseLateRows, settleErasure } from "../../src/lifecycle/erasure/steps/settleErasure.ts";
import type { ErasureTools } from "../../src/lifecycle/erasure/stores/erasureTools.ts";
import { withdrawExports } from "../../src/lifecycle/export/run/withdrawExports.ts";
import { inTransaction } from "../../src/store/postgres/inTransaction.ts";
import { reportProgress } from "../heartbeat.ts";

export type ErasureActivities = ReturnType<typeof createErasureActivities>;

/**
 * The steps of an erasure; each may be repeated by another worker. A deletion is passed by its id; its scope is in
 * PostgreSQL.
 *
 * The name of an activity is in the histories of runs in flight, so it stays when its function gets another one.
 */
export function createErasureActivities(tools: ErasureTools, settleMs: number) {
  return {
    /** Waits for earlier deletions of the same website. */
    async awaitTurn(id: string): Promise<void> {
      await awaitTurn(tools, id, cancelled());
    },

    async beginErasure(id: string): Promise<ErasurePlan> {
      return await beginErasure(tools, id, cancelled());
    },

    async eraseDeletionDay(id: string, day: string): Promise<void> {
      await eraseDeletionRangeEverywhere(tools, id, day, cancelled());
    },

    /** Lets rows received from now on be stored. */
    async endRangesNow(id: string): Promise<void> {
      await inTransaction(tools.postgres, (client) => endRangesNow(client, id));
    },

    /** Recomputes sessions and daily records from the remaining events. */
    async settleErasure(id: string): Promise<void> {
      await settleErasure(tools, id, settleMs, cancelled());
    },

    /** Erases rows that arrived late. Resolves to the number of days that had any. */
    async verifyErased(id: string): Promise<number> {
      return await eraseLateRows(tools, id, cancelled());
    },

    /** Withdraws the exports that contain erased rows. Resolves to their number. */
    async withdrawExportsOf(id: string): Promise<number> {
      const deletion = await readDeletion(tools.postgres, id);
      const { websiteId, fromMs, untilMs } = deletion;
      const erased = { websiteId, fromMs, toMs: untilMs, tables: erasedTables(deletion), deletionId: id };
      const withdrawn = await withdrawExports(tools, erased, reportProgress, cancelled());
      await tools.postgres.query("UPDATE deletions SET exports_withdrawn = $2 WHERE id = $1", [id, withdrawn]);
      return withdrawn.length;
    },

    async releaseBytes(id: string): Promise<void> {
      await releaseBytes(tools, id, reportProgress, cancelled());
    },

    /** Also puts the receipt beside the backups, from where a restore reads what to erase again. */
    async completeErasure(id: string): Promise<DeletionReceipt> {
      const receipt = await completeErasure(tools, id);
      await putReceipts(tools);
      return receipt;
    },

    /** Removes the other records of a website once its data is erased. */
    async removeWebsite(id: string): Promise<void> {
      await removeWebsite(tools, id, cancelled());
    },

    /** Plans the purge of every website that was deleted long enough ago. Resolves to their number. */
    async planPurges(): Promise<number> {
      return await planPurges(tools.postgres);
    },

    async startPlannedDeletions(): Promise<number> {
      return await startPlannedDeletions(tools, tools.log);
    },
  };
}

/** Aborts when the running activity is cancelled or its worker stops. */
function cancelled(): AbortSignal {
  return Context.current().cancellationSignal;
}
