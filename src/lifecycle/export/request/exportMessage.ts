import { workflowLink } from "../../../access/workflowLink.ts";
import type { DataCall } from "../../dataCall.ts";
import type { ExportRow } from "../exportRow.ts";
import { signDownload } from "./downloadSignature.ts";
import { estimateCompletion, progressPercent } from "./estimateCompletion.ts";

/** What answers about exports need. */
export type MessageContext = {
  readonly call: Pick<DataCall, "app" | "caller">;
  readonly secret: Buffer;
  readonly nowMs: number;
};

/**
 * An export as answers show it (specification 4.19). It is expired from its expiry time on, even before its files are
 * removed.
 */
export function exportMessage(row: ExportRow, context: MessageContext) {
  const { call, nowMs } = context;
  const isOver = row.status === "completed" && row.expiresMs !== null && row.expiresMs <= nowMs;
  const status = isOver ? "expired" : row.status;
  const isDone = row.completedMs !== null;
  const endMs = row.completedMs ?? row.endedMs ?? estimateCompletion(row, nowMs);
  return {
    exportId: row.id,
    status,
    progress: isDone ? 100 : progressPercent(row),
    estimatedCompletion: new Date(endMs).toISOString(),
    ...(status === "completed" ? { downloadUrl: downloadUrl(row, context) } : {}),
    ...(row.expiresMs === null ? {} : { expiresAt: new Date(row.expiresMs).toISOString() }),
    ...(row.reason === null ? {} : { reason: row.reason }),
    websiteId: row.websiteId,
    format: row.format,
    dataTypes: [...row.dataTypes],
    startDate: row.startDate,
    endDate: row.endDate,
    timezone: row.timeZone,
    rowsDone: row.rowsWritten,
    rowsTotal: row.rowsTotal,
    ...(row.bytes === null ? {} : { bytes: row.bytes }),
    ...(row.sha256 === null ? {} : { sha256: row.sha256 }),
    createdAt: new Date(row.createdMs).toISOString(),
    workflowUrl: workflowLink(call, row.workflowId),
  };
}

function downloadUrl({ id, expiresMs }: ExportRow, { call, secret }: MessageContext): string {
  return `${call.app.config.server.baseUrl}/v1/exports/${id}/download?signature=${signDownload(secret, id, expiresMs ?? 0)}`;
}
