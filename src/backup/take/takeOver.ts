import type { Pool } from "pg";
import { BackupError } from "../backupError.ts";
import { noReceipts } from "../receipts/receipts.ts";
import { receiptsOf } from "../receipts/storedReceipts.ts";
import type { BackupTarget } from "../target/backupTarget.ts";

/**
 * Makes this installation the owner of the known backups of a place; it looks after them from now on. Rejects with BackupError if
 * the former installation erased or deleted something that this one did not: it would be in all later backups.
 */
export async function takeOver(postgres: Pick<Pool, "query">, target: BackupTarget): Promise<void> {
  const { deletions, websites } = (await receiptsOf(target)) ?? noReceipts;
  const erased = deletions.filter((deletion) => deletion.completed_at !== null).map(({ id }) => id);
  const deleted = websites.map(({ id }) => id);
  const { rowCount } = await postgres.query(
    `SELECT FROM unnest($1::text[]) AS erased (id)
     WHERE NOT EXISTS (SELECT FROM deletions WHERE deletions.id::text = erased.id AND completed_at IS NOT NULL)
     UNION ALL SELECT FROM websites WHERE id = ANY($2) AND deleted_at IS NULL LIMIT 1`,
    [erased, deleted],
  );
  if (rowCount !== 0)
    throw new BackupError(
      `${target.place} has receipts of erasures that were made after the backup that this installation was restored from, so it still has ` +
        "that data. Restore the newest backup again, and take over with what was restored.",
    );
  await postgres.query("UPDATE backups SET installation = (SELECT id FROM installation) WHERE target = $1", [
    target.place,
  ]);
}
