import { readDeletion } from "../../lifecycle/erasure/deletion/readDeletion.ts";
import { releaseQuestdbBytes } from "../../lifecycle/erasure/disk/releaseBytes.ts";
import { eraseRecordedRanges } from "../../lifecycle/retention/eraseRecordedRanges.ts";
import { inTransaction } from "../../store/postgres/inTransaction.ts";
import { stopMonitorsOf } from "../../uptime/manage/stopMonitorsOf.ts";
import type { Applicable, DeletedWebsite, DeletionRow, RetentionReceipt } from "../receipts/receipts.ts";
import { completeReapplied, type ReapplyTools, reapplyDeletion } from "./reapplyDeletion.ts";

/** What was erased again. `rows` are those of deletions; `websites` were deleted again. */
export type Reapplied = {
  readonly deletions: number;
  readonly rows: number;
  readonly retentionRuns: number;
  readonly websites: number;
};

/**
 * Repeats the erasures since a backup was taken (ISO 8601), before anything is answered from the restored stores. Safe to repeat.
 */
export async function reapplyReceipts(
  tools: ReapplyTools,
  { deletions, retention, websites, backups }: Applicable,
  backupTakenAt: string,
  onProgress: (text: string) => void,
  signal: AbortSignal,
): Promise<Reapplied> {
  await tools.postgres.query(
    "INSERT INTO backups SELECT * FROM json_populate_recordset(NULL::backups, $1) ON CONFLICT (id) DO NOTHING",
    [JSON.stringify(backups)],
  );
  let deletedWebsites = 0;
  for (const website of websites) if (await deleteAgain(tools, website)) deletedWebsites++;
  for (const run of retention) await reapplyRun(tools, run, signal);
  const erased: { row: DeletionRow; rows: number }[] = [];
  for (const [index, row] of deletions.entries()) {
    onProgress(`deletion ${index + 1} of ${deletions.length}`);
    const rows = await reapplyDeletion(tools, row, settleMs(tools), signal);
    if (rows !== undefined && row.completed_at !== null) erased.push({ row, rows });
  }
  for (const { row } of erased.filter(({ rows }) => rows > 0)) {
    onProgress("waiting until no file holds what was erased");
    // Rows of the range in the restored logs are dropped by the processes that take the logs over: no process runs yet.
    const deletion = await readDeletion(tools.postgres, row.id);
    for (const node of await tools.stores.of(deletion.websiteId))
      await releaseQuestdbBytes({ ...node, postgres: tools.postgres }, deletion, onProgress, signal);
  }
  for (const { row, rows } of erased) await completeReapplied(tools, row, rows, backupTakenAt);
  return {
    deletions: erased.length,
    rows: erased.reduce((sum, { rows }) => sum + rows, 0),
    retentionRuns: retention.length,
    websites: deletedWebsites,
  };
}

/** Deletes a website again, so that it is hidden, and erased 90 days after its deletion. Resolves to whether it was there. */
async function deleteAgain({ postgres }: ReapplyTools, { id, deletedAt }: DeletedWebsite): Promise<boolean> {
  return await inTransaction(postgres, async (client) => {
    const { rowCount } = await client.query(
      "UPDATE websites SET deleted_at = $2 WHERE id = $1 AND deleted_at IS NULL",
      [id, deletedAt],
    );
    if (rowCount === 1) await stopMonitorsOf(client, id);
    return rowCount === 1;
  });
}

/** Repeats the erasures of a run, and records the run, which the backup may not know. */
async function reapplyRun(
  { stores, postgres }: ReapplyTools,
  run: RetentionReceipt,
  signal: AbortSignal,
): Promise<void> {
  // A restore has one QuestDB, whatever the website.
  for (const { questdb } of await stores.of("")) await eraseRecordedRanges({ questdb, postgres }, run.erased, signal);
  await postgres.query(
    `INSERT INTO retention_runs (id, website_id, due_at, started_at, finished_at, reapplied_at)
     SELECT $1, (SELECT id FROM websites WHERE id = $2), $3, $4, $5, clock_timestamp()
     ON CONFLICT (id) DO UPDATE SET finished_at = excluded.finished_at, reapplied_at = excluded.reapplied_at`,
    [run.id, run.websiteId, run.dueAt, run.startedAt, run.finishedAt],
  );
  await postgres.query(
    `INSERT INTO retention_erased (run_id, website_id, kind, day, rows)
     SELECT $1, "websiteId", kind, day, rows
     FROM json_to_recordset($2) AS erased ("websiteId" text, kind text, day date, rows bigint) ON CONFLICT DO NOTHING`,
    [run.id, JSON.stringify(run.erased)],
  );
}

/** Nothing else writes, so committed rows are soon visible. */
function settleMs({ config }: ReapplyTools): number {
  return 2 * config.questdb.commitTimeoutMs;
}
