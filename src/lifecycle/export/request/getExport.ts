import type { GetExportReply } from "../../../gen/lookout/services.ts";
import type { GetExportRequest } from "../../../gen/lookout/v1/data_pb.ts";
import type { DataCall } from "../../dataCall.ts";
import { readSigningSecret } from "./downloadSignature.ts";
import { exportMessage } from "./exportMessage.ts";
import { findExport } from "./findExport.ts";

/**
 * GET /v1/exports/{export_id} (specification 4.19): the progress of an export, and its address once it is done. Rejects
 * with NOT_FOUND.
 */
export async function getExport({ exportId }: GetExportRequest, { app, caller }: DataCall): Promise<GetExportReply> {
  const row = await findExport(app.postgres, exportId, caller);
  const secret = await readSigningSecret(app.postgres);
  const { baseUrl } = app.config.server;
  return { success: true, ...exportMessage(row, { baseUrl, secret, nowMs: Date.now() }) };
}
