import { audienceOnly } from "../../../errors/errors.ts";
import type { PreviewDeletionReply } from "../../../gen/lookout/services.ts";
import type { PreviewDeletionRequest } from "../../../gen/lookout/v1/data_pb.ts";
import { findWebsite } from "../../../websites/findWebsite.ts";
import type { DataCall } from "../../dataCall.ts";
import { countByType } from "./countByType.ts";
import { readScope } from "./readScope.ts";

/**
 * POST /v1/websites/{website_id}/data/preview: the rows that a deletion would erase now. Rejects as deleteData does,
 * with NOT_FOUND and VALIDATION_ERROR, and with CONFLICT for one visitor while the website measures its audience only.
 */
export async function previewDeletion(request: PreviewDeletionRequest, call: DataCall): Promise<PreviewDeletionReply> {
  const website = await findWebsite(call.app.postgres, request.websiteId, call.caller);
  const scope = readScope(request, website);
  if (website.privacy.audienceOnly && scope.visitorKey !== null)
    throw audienceOnly("The erasure of one visitor has no preview, since it would show when the visitor was here");
  return { success: true, rows: await countByType(scope, website, call) };
}
