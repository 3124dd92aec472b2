import type { Client } from "@temporalio/client";
import type { Pool } from "pg";
import { runStateOf } from "../../../store/temporal/runs.ts";
import { workflowIdSql } from "../../../store/temporal/workflowIds.ts";
import { recordRemoved } from "../exportRun.ts";
import type { ExportStorage } from "./exportStorage.ts";

type Tools = { readonly postgres: Pick<Pool, "query">; readonly temporal: { readonly client: Client } };

/** Exports per run; the rest waits for the next one. */
const limit = 1_000;

/**
 * Removes the files that exports left which ended longer than `endedMs` ago: a run removes its own files when it ends. `storageId`
 * is that of their machine; null with a bucket. Resolves to the number of these exports.
 */
export async function removeEnded(
  { postgres, temporal }: Tools,
  storage: Pick<ExportStorage, "removeFolder">,
  storageId: string | null,
  endedMs: number,
): Promise<number> {
  const { rows } = await postgres.query<{ id: string; workflowId: string }>(
    `SELECT id, ${workflowIdSql("export")} AS "workflowId" FROM exports
     WHERE storage_id IS NOT DISTINCT FROM $1 AND removed_at IS NULL AND status IN ('failed', 'cancelled', 'expired')
       AND least(ended_at, expires_at) < now() - $2 * interval '1 millisecond' ORDER BY ended_at LIMIT ${limit}`,
    [storageId, endedMs],
  );
  let removed = 0;
  for (const { id, workflowId } of rows) {
    // A running run removes its files itself once none of its activities writes any more.
    if ((await runStateOf(temporal.client, workflowId)) === "running") continue;
    await storage.removeFolder(id);
    await recordRemoved(postgres, id);
    removed += 1;
  }
  return removed;
}
