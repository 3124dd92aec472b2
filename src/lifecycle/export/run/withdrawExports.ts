import type { Client } from "@temporalio/client";
import type { Pool } from "pg";
import { poll } from "../../../concurrency/poll.ts";
import type { Config } from "../../../config.ts";
import { workflowIdSql } from "../../../store/temporal/workflowIds.ts";
import { recordRemoved } from "../exportRun.ts";
import { whereFilesAre } from "../storage/exportStorages.ts";
import { openStorage } from "../storage/openStorage.ts";
import { cancelRun, endRun } from "./endRun.ts";
import { heldByExports } from "./heldByExports.ts";

export type WithdrawTools = {
  readonly postgres: Pick<Pool, "query">;
  readonly temporal: { readonly client: Client };
  readonly config: Pick<Config, "exports">;
};

/** Rows that were erased, or soon will be. Times are Unix ms, `toMs` is exclusive. */
export type ErasedRange = {
  readonly websiteId: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** The data types of specification 4.17. */
  readonly dataTypes: readonly string[];
  readonly deletionId: string;
};

/**
 * Withdraws the exports of a website that contain erased rows, or data computed from them: finished ones become
 * `expired`, running ones `cancelled`, each with a reason, and all of their files are removed. Resolves to the ids of
 * all exports that this erasure has withdrawn, when no file is left except on machines whose workers do not run
 * (storagesAway). `onWait` gets a description of what it waits for.
 *
 * A later export reads only what is still there: call this once the rows cannot be read any more. Safe to repeat.
 * Rejects when a store is unavailable or a run does not stop within a minute; call it again then.
 */
export async function withdrawExports(
  tools: WithdrawTools,
  erased: ErasedRange,
  onWait: (reason: string) => void,
  signal: AbortSignal,
): Promise<string[]> {
  const withdrawn = await markWithdrawn(tools, erased);
  const storage = await openStorage(tools.config.exports);
  for (const { id, workflowId, isOnMachine } of withdrawn) {
    if (isOnMachine) {
      // The machine that has the files removes them.
      await cancelRun(tools.temporal.client, workflowId);
      await whenGone(tools.postgres, id, onWait, signal);
      continue;
    }
    await endRun(tools.temporal.client, workflowId);
    await storage.removeFolder(id);
    await recordRemoved(tools.postgres, id);
  }
  return withdrawn.filter(({ isOurs }) => isOurs).map(({ id }) => id);
}

type Withdrawn = {
  readonly id: string;
  readonly workflowId: string;
  readonly isOurs: boolean;
  readonly isOnMachine: boolean;
};

async function whenGone(
  postgres: Pick<Pool, "query">,
  id: string,
  onWait: (reason: string) => void,
  signal: AbortSignal,
): Promise<void> {
  await poll(async () => {
    const where = await whereFilesAre(postgres, id);
    if (where === "gone" || where.isSilent) return true;
    onWait(`files of the export ${id} in ${where.place}`);
    return false;
  }, signal);
}

/** Marks the exports as withdrawn, and returns those whose files may still exist. */
async function markWithdrawn(
  { postgres }: WithdrawTools,
  { websiteId, fromMs, toMs, dataTypes, deletionId }: ErasedRange,
): Promise<Withdrawn[]> {
  const { events, sessions, aggregated } = heldByExports({ fromMs, toMs }, dataTypes);
  const bounds = [events, sessions, aggregated].flatMap((span) => [span?.fromMs ?? null, span?.toMs ?? null]);
  await postgres.query(
    `UPDATE exports SET status = CASE status WHEN 'completed' THEN 'expired' ELSE 'cancelled' END, withdrawn_by = $2, ended_at = now(),
       reason = 'Data of these days was erased. Start a new export of what is left'
     WHERE website_id = $1 AND status IN ('processing', 'completed') AND (${overlaps(3)})`,
    [websiteId, deletionId, ...bounds],
  );
  // Files of exports that ended otherwise may still be in removal.
  const { rows } = await postgres.query<Withdrawn>(
    `SELECT id, ${workflowIdSql("export")} AS "workflowId", withdrawn_by IS NOT DISTINCT FROM $2 AS "isOurs", storage_id IS NOT NULL AS "isOnMachine" FROM exports
     WHERE website_id = $1 AND (withdrawn_by = $2 OR removed_at IS NULL AND status <> 'processing' AND (${overlaps(3)})) ORDER BY id`,
    [websiteId, deletionId, ...bounds],
  );
  return rows;
}

/**
 * Whether an export overlaps one of three spans, given by their bounds in Unix ms from parameter `$at` on; a span of
 * nulls never overlaps.
 */
function overlaps(at: number): string {
  const time = (index: number) => `to_timestamp($${at + index}::float8 / 1000)`;
  return `'events' = ANY(data_types) AND from_at < ${time(1)} AND to_at > ${time(0)}
    OR 'sessions' = ANY(data_types) AND from_at < ${time(3)} AND to_at > ${time(2)}
    OR 'aggregated' = ANY(data_types) AND start_date::timestamp AT TIME ZONE 'UTC' < ${time(5)}
      AND (end_date + 1)::timestamp AT TIME ZONE 'UTC' > ${time(4)}`;
}
