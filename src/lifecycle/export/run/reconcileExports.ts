import type { Client } from "@temporalio/client";
import type { Pool } from "pg";
import type { Config } from "../../../config.ts";
import { runStateOf } from "../../../store/temporal/runs.ts";
import { openStorage } from "../storage/openStorage.ts";
import { expire, giveUp, recordRemoved } from "./exportRun.ts";

export type ReconcileTools = {
  readonly postgres: Pick<Pool, "query">;
  readonly temporal: { readonly client: Client };
  readonly config: Pick<Config, "exports">;
};

/** What a reconciliation of all exports did. */
export type ReconciledExports = { readonly lost: number; readonly removed: number };

/** Exports per run; the rest waits for the next one. */
const limit = 1_000;

/** A run is started within the transaction that inserts its export. */
const youngest = "interval '1 minute'";

/** A run that Temporal does not know may appear later: the request to start it was slow, or Temporal is coming back. */
const unknownGracePeriod = "interval '10 minutes'";

/**
 * Ends exports whose run is lost or was terminated, perhaps with all of Temporal's data, and removes files that such
 * runs left in a bucket. Files on a machine are removed by its own worker (localFiles.ts). Safe to repeat. Rejects when
 * a store is unavailable.
 */
export async function reconcileExports({ postgres, temporal, config }: ReconcileTools): Promise<ReconciledExports> {
  const ids = async (condition: string): Promise<string[]> => {
    const { rows } = await postgres.query<{ id: string }>(
      `SELECT id FROM exports WHERE ${condition} ORDER BY created_at LIMIT ${limit}`,
    );
    return rows.map(({ id }) => id);
  };
  const stateOf = (id: string) => runStateOf(temporal.client, `export/${id}`);
  let lost = 0;
  const { rows: processing } = await postgres.query<{ id: string; isOld: boolean }>(
    `SELECT id, created_at < now() - ${unknownGracePeriod} AS "isOld" FROM exports
     WHERE status = 'processing' AND created_at < now() - ${youngest} ORDER BY created_at LIMIT ${limit}`,
  );
  for (const { id, isOld } of processing) {
    const state = await stateOf(id);
    if (state === "running" || (state === "unknown" && !isOld)) continue;
    await giveUp(postgres, id, "failed", "Its run was lost or stopped by an operator. Start the export again");
    lost += 1;
  }
  for (const id of await ids(`status = 'completed' AND expires_at < now() - ${youngest}`)) await expire(postgres, id);
  const storage = await openStorage(config.exports);
  const left = await ids(
    `storage_id IS NULL AND removed_at IS NULL AND status IN ('failed', 'cancelled', 'expired')
     AND least(ended_at, expires_at) < now() - ${youngest}`,
  );
  let removed = 0;
  for (const id of left) {
    // A running run removes its files itself once none of its activities writes any more.
    if ((await stateOf(id)) === "running") continue;
    await storage.removeFolder(id);
    await recordRemoved(postgres, id);
    removed += 1;
  }
  return { lost, removed };
}
