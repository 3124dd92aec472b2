import type { PreviewDeletionReply } from "../../../gen/lookout/services.ts";
import type { PreviewDeletionRequest } from "../../../gen/lookout/v1/data_pb.ts";
import { findWebsite } from "../../../websites/findWebsite.ts";
import type { DataCall } from "../../dataCall.ts";
import { countByType } from "./countByType.ts";
import { readScope } from "./readScope.ts";

/**
 * POST /v1/websites/{website_id}/data/preview: the rows that a deletion would erase now. Rejects as deleteData does,
 * with NOT_FOUND and VALIDATION_ERROR.
 */
export async function previewDeletion(request: PreviewDeletionRequest, call: DataCall): Promise<PreviewDeletionReply> {
  const website = await findWebsite(call.app.postgres, request.websiteId, call.caller);
  return { success: true, rows: await countByType(readScope(request, website), call) };
}
