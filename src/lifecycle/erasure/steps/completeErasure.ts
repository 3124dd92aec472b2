import type { PoolClient } from "pg";
import { recordServiceAudit } from "../../../audit/recordAudit.ts";
import type { Config } from "../../../config.ts";
import { logExpiresMs } from "../../../durableLog/logHorizon.ts";
import { inTransaction } from "../../../store/postgres/inTransaction.ts";
import type { PrivacyRules } from "../../../visitors/privacyRules.ts";
import type { Deletion, DeletionReceipt } from "../deletion/deletionRow.ts";
import { readDeletion } from "../deletion/readDeletion.ts";
import { shownReceipt } from "../deletion/shownReceipt.ts";
import { closeRanges } from "../guard/blockRanges.ts";
import type { ErasureTools } from "../stores/erasureTools.ts";
import { replicasAway } from "../stores/missedErasures.ts";

/** Writes the receipt of a deletion and completes it, once. Rows of its range received from then on are stored. */
export async function completeErasure(
  { postgres, config }: Pick<ErasureTools, "postgres" | "config">,
  id: string,
): Promise<DeletionReceipt> {
  return await inTransaction(postgres, async (client) => {
    await client.query("SELECT FROM deletions WHERE id = $1 FOR UPDATE", [id]);
    const deletion = await readDeletion(client, id);
    if (deletion.receipt !== null) return deletion.receipt;
    const away = await replicasAway(client, id);
    const receipt = {
      ...receiptOf(deletion),
      ...(away.length === 0 ? {} : { replicasAway: away }),
      ...(await backupsOf(client, deletion)),
      ...logOf(config, deletion),
    };
    await closeRanges(client, id);
    await client.query(
      "UPDATE deletions SET status = 'completed', phase = 'done', receipt = $2, completed_at = clock_timestamp() WHERE id = $1",
      [id, JSON.stringify(receipt)],
    );
    await recordServiceAudit(client, deletion, {
      action: "data.erased",
      objectType: "deletion",
      objectId: id,
      websiteId: deletion.websiteId,
      after: { receipt: shownReceipt(receipt, deletion, await privacyOf(client, deletion)) },
    });
    return receipt;
  });
}

async function privacyOf(client: PoolClient, { websiteId }: Pick<Deletion, "websiteId">): Promise<PrivacyRules> {
  const { rows } = await client.query<{ privacy: PrivacyRules }>("SELECT privacy FROM websites WHERE id = $1", [
    websiteId,
  ]);
  const [website] = rows;
  if (website === undefined) throw new Error(`The website ${websiteId} of a deletion is missing`);
  return website.privacy;
}

/** Until when a backup holds the erased rows; nothing if none was made before they were gone. */
async function backupsOf(
  client: PoolClient,
  { goneMs }: Pick<Deletion, "goneMs">,
): Promise<Pick<DeletionReceipt, "backupsExpireAt">> {
  const { rows } = await client.query<{ expiresAt: Date | null }>(
    `SELECT max(expires_at) AS "expiresAt" FROM backups
     WHERE removed_at IS NULL AND started_at < to_timestamp($1::float8 / 1000)`,
    [goneMs],
  );
  const expiresAt = rows[0]?.expiresAt ?? null;
  return expiresAt === null ? {} : { backupsExpireAt: expiresAt.toISOString() };
}

/** Until when the brokers may hold bytes of the rows: the last ones entered their log before all others were gone. */
function logOf(
  { kafka }: Pick<Config, "kafka">,
  { goneMs }: Pick<Deletion, "goneMs">,
): Pick<DeletionReceipt, "logExpiresAt"> {
  if (kafka.brokers.length === 0 || goneMs === null) return {};
  return { logExpiresAt: new Date(logExpiresMs(goneMs, kafka)).toISOString() };
}

/** The receipt of a deletion whose erasure is done. */
function receiptOf(deletion: Deletion): DeletionReceipt {
  const { rowsBefore, rowsAfter, days, unreadableMs, goneMs, exportsWithdrawn, logsAway } = deletion;
  if (rowsBefore === null || rowsAfter === null || days === null || unreadableMs === null || goneMs === null)
    throw new Error(`The erasure of deletion ${deletion.id} is not done`);
  return {
    tables: Object.entries(rowsBefore).map(([table, count]) => ({
      table,
      rowsBefore: count,
      rowsAfter: rowsAfter[table] ?? 0,
    })),
    days: [...days].sort(),
    exportsWithdrawn: [...exportsWithdrawn],
    unreadableAt: new Date(unreadableMs).toISOString(),
    goneAt: new Date(goneMs).toISOString(),
    spoolsAway: [...logsAway],
  };
}
