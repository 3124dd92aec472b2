import type { PoolClient } from "pg";
import { escalate } from "../../uptime/notifications/escalate.ts";
import type { Manifest } from "../manifest.ts";

/**
 * Adapts PostgreSQL to what a backup lacks: files of exports, Temporal's workflows, and the processes of the machine that it was
 * made on.
 */
export async function settleRestored(
  client: PoolClient,
  { id, takenAt }: Pick<Manifest, "id" | "takenAt">,
): Promise<void> {
  const { rows: incidents } = await client.query<{ id: string }>(
    "SELECT id FROM incidents WHERE opened_at IS NOT NULL AND resolved_at IS NULL AND acknowledged_at IS NULL",
  );
  // Escalation steps that fell due meanwhile. They are ended below, since most of them were taken.
  for (const incident of incidents) await escalate(client, incident.id, Date.now());
  for (const statement of statements) await client.query(statement);
  // The original installation may still run, and keeps its places to itself.
  await client.query("UPDATE installation SET id = gen_random_uuid()::text");
  // The backup itself was not finished when it was written.
  await client.query("UPDATE backups SET taken_at = $2, finished_at = clock_timestamp() WHERE id = $1", [id, takenAt]);
}

const statements = [
  // Exports can be made again; the reconciliation removes a bucket's files.
  `UPDATE exports SET status = CASE status WHEN 'completed' THEN 'expired' ELSE 'failed' END, ended_at = now(),
     reason = 'The service was restored from a backup, which has no exports. Start the export again'
   WHERE status IN ('processing', 'completed')`,
  "UPDATE exports SET removed_at = now() WHERE storage_id IS NOT NULL AND removed_at IS NULL",
  "UPDATE exports SET storage_id = NULL",
  "DELETE FROM export_storages",
  // Most were delivered right after the backup: better none than the same message twice.
  `UPDATE deliveries SET status = 'failed', last_error = 'The service was restored from a backup; it may have been delivered'
   WHERE status = 'pending'`,
  // Their workflows are gone: the reconciliations start them again within a minute instead of an hour.
  "UPDATE incidents SET escalation_started_at = NULL WHERE resolved_at IS NULL",
  // A day may have been erased after QuestDB's checkpoint and before PostgreSQL's moment.
  "UPDATE deletions SET started_at = NULL, days_done = '{}' WHERE status = 'processing'",
  // The processes that take the restored logs over report them.
  "DELETE FROM log_directories",
  "UPDATE backups SET has_checkpoint = false",
];
