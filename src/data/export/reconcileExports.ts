import { type Client, WorkflowNotFoundError } from "@temporalio/client";
import type { Pool } from "pg";
import type { Config } from "../../config.ts";
import { expire, giveUp, noteRemoved } from "./exportRun.ts";
import { openStorage } from "./storage/openStorage.ts";

export type ReconcileTools = {
  readonly postgres: Pick<Pool, "query">;
  readonly temporal: { readonly client: Client };
  readonly config: Pick<Config, "exports">;
};

/** What a look at all exports has put right. */
export type ReconciledExports = { readonly lost: number; readonly removed: number };

/** Exports of one look; more are left for the next. */
const limit = 1_000;

/**
 * Ends exports whose run is lost, with all of Temporal perhaps, and removes the files of those whose run did not do so ten minutes after it
 * should have. Doing it again is safe. Rejects when a store is away.
 */
export async function reconcileExports(
  { postgres, temporal, config }: ReconcileTools,
  beat: () => void,
): Promise<ReconciledExports> {
  const ids = async (condition: string): Promise<string[]> => {
    const { rows } = await postgres.query<{ id: string }>(
      `SELECT id FROM exports WHERE ${condition} ORDER BY created_at LIMIT ${limit}`,
    );
    return rows.map(({ id }) => id);
  };
  let lost = 0;
  for (const id of await ids("status = 'processing' AND created_at < now() - interval '10 minutes'")) {
    beat();
    if (await isRunning(temporal.client, id)) continue;
    await giveUp(postgres, id, "failed", "Its run was lost. Start the export again");
    lost += 1;
  }
  for (const id of await ids("status = 'completed' AND expires_at < now() - interval '10 minutes'"))
    await expire(postgres, id);
  const storage = await openStorage(config.exports);
  const left = await ids(
    `removed_at IS NULL AND status IN ('failed', 'cancelled', 'expired')
     AND (ended_at < now() - interval '10 minutes' OR expires_at < now() - interval '10 minutes')`,
  );
  let removed = 0;
  for (const id of left) {
    beat();
    // What still runs removes its files itself, once nothing of it writes any more.
    if (await isRunning(temporal.client, id)) continue;
    await storage.removeFolder(id);
    await noteRemoved(postgres, id);
    removed += 1;
  }
  return { lost, removed };
}

async function isRunning(client: Client, exportId: string): Promise<boolean> {
  try {
    return (await client.workflow.getHandle(`export/${exportId}`).describe()).status.name === "RUNNING";
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
