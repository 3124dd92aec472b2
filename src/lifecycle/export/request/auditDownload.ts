import type { Pool } from "pg";
import { recordSignedUrlAudit } from "../../../audit/recordAudit.ts";
import { inTransaction } from "../../../store/postgres/inTransaction.ts";
import type { ExportRow } from "./exportRow.ts";

/**
 * Audits the download of an export. The actor is the address, since anyone who has it can download. Requests within a
 * minute, such as those for many ranges, are one entry.
 */
export async function auditDownload(
  postgres: Pick<Pool, "connect">,
  { id, organizationId, websiteId }: ExportRow,
  requestId: string,
): Promise<void> {
  await inTransaction(postgres, async (client) => {
    const { rowCount } = await client.query(
      `UPDATE exports SET download_audited_at = now()
       WHERE id = $1 AND (download_audited_at IS NULL OR download_audited_at < now() - interval '1 minute')`,
      [id],
    );
    if (rowCount === 0) return;
    await recordSignedUrlAudit(
      client,
      { organizationId, requestId },
      { action: "export.download", objectId: id, websiteId },
    );
  });
}
