import type { Pool } from "pg";
import { recordSignedUrlAudit } from "../../../audit/recordAudit.ts";
import { repeat } from "../../../concurrency/poll.ts";
import { ApiError, unavailable } from "../../../errors/errors.ts";
import type { DownloadExportReply } from "../../../gen/lookout/services.ts";
import type { DownloadExportRequest } from "../../../gen/lookout/v1/data_pb.ts";
import { inTransaction } from "../../../store/postgres/inTransaction.ts";
import type { DataCall } from "../../dataCall.ts";
import type { ExportRow } from "../exportRow.ts";
import { readExport } from "../exportRun.ts";
import { archiveName } from "../storage/fileNames.ts";
import { openStorage } from "../storage/openStorage.ts";
import { requireOffset, requireRange } from "./byteRange.ts";
import { readSignature, readSigningSecret } from "./downloadSignature.ts";

type Piece = DownloadExportReply;

/**
 * GET /v1/exports/{export_id}/download: the archive, the part of it that a Range header requests, or what follows an
 * offset, at the client's pace. The signature of the address replaces credentials.
 *
 * Rejects with ACCESS_DENIED for an invalid signature, with NOT_FOUND and status 410 for an export that has ended, with
 * VALIDATION_ERROR for an offset past the end, and with status 416 too for a range that is not in the file. Rejects with
 * SERVICE_UNAVAILABLE if the file is on another machine: a load balancer may find it there. Breaks off when the export
 * is withdrawn.
 */
export async function* downloadExport(
  { exportId, signature, offset = 0 }: DownloadExportRequest,
  call: DataCall,
): AsyncGenerator<Piece> {
  const { app } = call;
  const row = await findDownload(exportId, signature, call);
  const storage = await openStorage(app.config.exports);
  if (!(await storage.has(archiveName(row.id)))) throw fileElsewhere();
  const size = row.bytes ?? 0;
  const etag = `"${row.sha256}"`;
  requireOffset(offset, size);
  const range = offset === 0 && isSameFile(call, etag) ? requireRange(call.header("range"), size) : undefined;
  const { start, end } = range ?? { start: offset, end: size - 1 };
  call.setHeader("cache-control", "private, no-cache");
  call.setHeader("content-length", String(end - start + 1));
  // What follows an offset is a whole file of its own to HTTP: ranges and the tag of the archive do not fit it.
  if (offset === 0) {
    call.setHeader("accept-ranges", "bytes");
    call.setHeader("etag", etag);
  }
  if (range !== undefined) call.setHeader("content-range", `bytes ${start}-${end}/${size}`);
  if (!call.isHead) await auditDownload(app.postgres, row, call.requestId);
  const part = range ?? (offset === 0 ? undefined : { start, end });
  yield { contentType: "application/zip", fileName: await fileNameOf(row, call), offset: start };
  if (start > end) return;
  const withdrawn = new AbortController();
  void watchWithdrawal(app, row.id, withdrawn);
  try {
    for await (const data of storage.read(archiveName(row.id), part, withdrawn.signal)) yield { data };
  } finally {
    withdrawn.abort();
  }
}

/** The export of a valid address whose archive is available. */
async function findDownload(exportId: string, signature: string, { app }: DataCall): Promise<ExportRow> {
  const expiresMs = readSignature(await readSigningSecret(app), exportId, signature);
  if (expiresMs === undefined)
    throw new ApiError(
      "ACCESS_DENIED",
      "The signature of this address is missing or wrong. Take download_url as GET /v1/exports/{export_id} gives it",
    );
  const row = expiresMs > Date.now() ? await readExport(app.postgres, exportId) : undefined;
  if (row?.status !== "completed")
    throw new ApiError("NOT_FOUND", row?.reason ?? "This export has expired and its file is gone. Start a new export", {
      status: 410,
    });
  return row;
}

function fileElsewhere(): ApiError {
  return unavailable(
    "This process does not have the file of the export: it is on another machine of the service. Try again. " +
      "So that every process has it, the operator sets EXPORT_S3_BUCKET or gives all of them the same DATA_DIR/exports",
    1,
  );
}

/**
 * With If-Range the range applies only if the client has the beginning of this file; else it wants all of the new one
 * (RFC 9110, section 13.1.5).
 */
function isSameFile(call: DataCall, etag: string): boolean {
  const condition = call.header("if-range");
  return condition === undefined || condition === etag;
}

async function fileNameOf({ websiteId, startDate, endDate }: ExportRow, { app }: DataCall): Promise<string> {
  const website = await app.websites.find(websiteId);
  return `${website?.domain ?? "export"}_${startDate}_${endDate}.zip`;
}

/** How long a client may keep reading an archive after it was withdrawn. */
const everyMs = 5_000;

/** Aborts `withdrawn` when an export is no longer completed, so that its file is closed. Ends once that is aborted. */
async function watchWithdrawal(
  { postgres, log }: DataCall["app"],
  exportId: string,
  withdrawn: AbortController,
): Promise<void> {
  const look = async (): Promise<void> => {
    const { rows } = await postgres.query("SELECT 1 FROM exports WHERE id = $1 AND status = 'completed'", [exportId]);
    if (rows.length === 0) withdrawn.abort();
  };
  await repeat(look, everyMs, withdrawn.signal, (error) =>
    log.warn({ err: error, exportId }, "could not check whether a download may continue"),
  );
}

/**
 * Audits the download of an export. The actor is the address, since anyone who has it can download. Requests within a
 * minute, such as those for many ranges, are one entry.
 */
async function auditDownload(
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
