import type { Client } from "@temporalio/client";
import type { Pool } from "pg";
import { poll } from "../../../concurrency/poll.ts";
import type { Config } from "../../../config.ts";
import { workflowIdSql } from "../../../store/temporal/workflowIds.ts";
import { recordRemoved } from "../exportRun.ts";
import { whereFilesAre } from "../storage/exportStorages.ts";
import { openStorage } from "../storage/openStorage.ts";
import { cancelRun, endRun } from "./endRun.ts";
import { heldByExports, type Span } from "./heldByExports.ts";

export type WithdrawTools = {
  readonly postgres: Pick<Pool, "query">;
  readonly temporal: { readonly client: Client };
  readonly config: Pick<Config, "exports">;
};

/** Rows that were erased, or soon will be. */
export type ErasedRows = Span & {
  readonly websiteId: string;
  /** The tables whose rows are erased or computed again. */
  readonly tables: ReadonlySet<string>;
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
  erased: ErasedRows,
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
async function markWithdrawn({ postgres }: WithdrawTools, erased: ErasedRows): Promise<Withdrawn[]> {
  const held = heldByExports(erased, erased.tables);
  const values = [
    erased.websiteId,
    erased.deletionId,
    held.map(({ dataType }) => dataType),
    held.map(({ fromMs }) => fromMs),
    held.map(({ toMs }) => toMs),
  ];
  await postgres.query(
    `UPDATE exports SET status = CASE status WHEN 'completed' THEN 'expired' ELSE 'cancelled' END, withdrawn_by = $2, ended_at = now(),
       reason = 'Data of these days was erased. Start a new export of what is left'
     WHERE website_id = $1 AND status IN ('processing', 'completed') AND ${holdsErased}`,
    values,
  );
  // Files of exports that ended otherwise may still be in removal.
  const { rows } = await postgres.query<Withdrawn>(
    `SELECT id, ${workflowIdSql("export")} AS "workflowId", withdrawn_by IS NOT DISTINCT FROM $2 AS "isOurs", storage_id IS NOT NULL AS "isOnMachine" FROM exports
     WHERE website_id = $1 AND (withdrawn_by = $2 OR removed_at IS NULL AND status <> 'processing' AND ${holdsErased}) ORDER BY id`,
    values,
  );
  return rows;
}

/** Whether an export has one of the data types $3 in its time range, from $4 to $5 in Unix ms. Days of daily records are UTC days. */
const holdsErased = `EXISTS (
  SELECT FROM unnest($3::text[], $4::float8[], $5::float8[]) AS held (data_type, from_ms, to_ms)
  WHERE data_type = ANY(data_types) AND CASE data_type
    WHEN 'aggregated' THEN start_date::timestamp AT TIME ZONE 'UTC' < to_timestamp(to_ms / 1000)
      AND (end_date + 1)::timestamp AT TIME ZONE 'UTC' > to_timestamp(from_ms / 1000)
    ELSE from_at < to_timestamp(to_ms / 1000) AND to_at > to_timestamp(from_ms / 1000) END)`;
