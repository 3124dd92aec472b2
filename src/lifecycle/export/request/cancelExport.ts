import { recordAudit } from "../../../audit/recordAudit.ts";
import { ApiError } from "../../../errors/errors.ts";
import type { CancelExportReply } from "../../../gen/lookout/services.ts";
import type { CancelExportRequest } from "../../../gen/lookout/v1/data_pb.ts";
import { inTransaction } from "../../../store/postgres/inTransaction.ts";
import type { DataCall } from "../../dataCall.ts";
import { readExport } from "../exportRun.ts";
import { cancelRun } from "../run/endRun.ts";
import { findExport } from "./findExport.ts";

/**
 * POST /v1/exports/{export_id}/cancel: stops the export within seconds and removes its files. Repeating it changes
 * nothing. Rejects with NOT_FOUND, and with CONFLICT for an export that has ended otherwise.
 */
export async function cancelExport({ exportId }: CancelExportRequest, call: DataCall): Promise<CancelExportReply> {
  const { postgres } = call.app;
  const { id, workflowId, websiteId } = await findExport(postgres, exportId, call.caller);
  const isNew = await inTransaction(postgres, async (client) => {
    const { rowCount } = await client.query(
      `UPDATE exports SET status = 'cancelled', reason = 'It was cancelled', ended_at = now() WHERE id = $1 AND status = 'processing'`,
      [id],
    );
    if (rowCount === 0) return false;
    await recordAudit(client, call, {
      action: "export.cancel",
      objectId: id,
      websiteId,
      before: { status: "processing" },
      after: { status: "cancelled" },
    });
    return true;
  });
  // While it writes, the run also notices by itself that its export is cancelled; this is faster.
  if (isNew)
    await cancelRun(call.app.temporal.client, workflowId).catch((error: unknown) =>
      call.app.log.warn({ err: error, exportId: id }, "the run of a cancelled export ends by itself, a little later"),
    );
  const row = isNew ? undefined : await readExport(postgres, id);
  if (row !== undefined && row.status !== "cancelled")
    throw new ApiError(
      "CONFLICT",
      `This export is ${row.status} already. Only one that is processing can be cancelled`,
    );
  return { success: true, exportId: id, status: "cancelled" };
}
