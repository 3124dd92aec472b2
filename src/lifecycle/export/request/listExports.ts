import type { GetExportReply, ListExportsReply } from "../../../gen/lookout/services.ts";
import type { GetExportRequest, ListExportsRequest } from "../../../gen/lookout/v1/data_pb.ts";
import { findWebsite } from "../../../websites/findWebsite.ts";
import type { DataCall } from "../../dataCall.ts";
import { type ExportRow, exportColumns } from "../exportRow.ts";
import { readSigningSecret } from "./downloadSignature.ts";
import { exportMessage } from "./exportMessage.ts";
import { findExport } from "./findExport.ts";

const defaultLimit = 100;

/** GET /v1/websites/{website_id}/exports: the exports of a website, newest first, page by page. Rejects with NOT_FOUND. */
export async function listExports(request: ListExportsRequest, call: DataCall): Promise<ListExportsReply> {
  const { app, caller } = call;
  const website = await findWebsite(app.postgres, request.websiteId, caller);
  const limit = request.limit ?? defaultLimit;
  // A page continues after an export of the website; after any other id there is none.
  const { rows } = await app.postgres.query<ExportRow>(
    `SELECT ${exportColumns} FROM exports
     WHERE website_id = $1 AND ($2::text IS NULL OR (created_at, id) < (SELECT created_at, id FROM exports WHERE id = $2 AND website_id = $1))
     ORDER BY created_at DESC, id DESC LIMIT $3`,
    [website.id, request.cursor ?? null, limit + 1],
  );
  const secret = await readSigningSecret(app);
  const context = { call, secret, nowMs: Date.now() };
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    success: true,
    exports: shown.map((row) => exportMessage(row, context)),
    ...(rows.length > limit && last !== undefined ? { nextCursor: last.id } : {}),
  };
}

/**
 * GET /v1/exports/{export_id} (specification 4.19): the progress of an export, and its address once it is done. Rejects
 * with NOT_FOUND.
 */
export async function getExport({ exportId }: GetExportRequest, call: DataCall): Promise<GetExportReply> {
  const { app, caller } = call;
  const row = await findExport(app.postgres, exportId, caller);
  const secret = await readSigningSecret(app);
  return { success: true, ...exportMessage(row, { call, secret, nowMs: Date.now() }) };
}
