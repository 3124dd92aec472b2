import { runStateOf } from "../../../store/temporal/runs.ts";
import { workflowIdSql } from "../../../store/temporal/workflowIds.ts";
import { expire, giveUp } from "../exportRun.ts";
import { openStorage } from "../storage/openStorage.ts";
import { removeEnded } from "../storage/removeEnded.ts";
import { type StartTools, startRun } from "./startRun.ts";

/** What a reconciliation of all exports did. */
export type ReconciledExports = { readonly started: number; readonly lost: number; readonly removed: number };

type Found = { readonly id: string; readonly workflowId: string; readonly isOld: boolean };

/** Exports per run; the rest waits for the next one. */
const limit = 1_000;

/** What has just begun or ended is left to the requests and runs that are at it. */
const youngestMs = 60_000;
const youngest = `interval '${youngestMs} milliseconds'`;

/** A run that Temporal does not know may appear later: Temporal is coming back. */
const unknownGracePeriod = "interval '10 minutes'";

/**
 * Starts exports that were requested while Temporal was unavailable, ends those whose run is lost or was terminated, perhaps with all of
 * Temporal's data, and removes files that such runs left in a bucket. Files on a machine are removed by its own worker (localFiles.ts).
 * Safe to repeat. Rejects when a store is unavailable.
 */
export async function reconcileExports(tools: StartTools): Promise<ReconciledExports> {
  const { postgres, temporal, config } = tools;
  const exportsThat = async (condition: string): Promise<readonly Found[]> => {
    const { rows } = await postgres.query<Found>(
      `SELECT id, ${workflowIdSql("export")} AS "workflowId", run_started_at < now() - ${unknownGracePeriod} AS "isOld"
       FROM exports WHERE ${condition} ORDER BY created_at LIMIT ${limit}`,
    );
    return rows;
  };
  const unstarted = await exportsThat("status = 'processing' AND run_started_at IS NULL");
  for (const { id } of unstarted) await startRun(tools, id);
  let lost = 0;
  for (const { id, workflowId, isOld } of await exportsThat(
    `status = 'processing' AND run_started_at < now() - ${youngest}`,
  )) {
    const state = await runStateOf(temporal.client, workflowId);
    if (state === "running" || (state === "unknown" && !isOld)) continue;
    await giveUp(postgres, id, "failed", "Its run was lost or stopped by an operator. Start the export again");
    lost += 1;
  }
  for (const { id } of await exportsThat(`status = 'completed' AND expires_at < now() - ${youngest}`))
    await expire(postgres, id);
  const storage = await openStorage(config.exports);
  const removed = await removeEnded(tools, storage, null, youngestMs);
  return { started: unstarted.length, lost, removed };
}
