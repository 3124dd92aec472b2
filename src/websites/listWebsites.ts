import { authRequired } from "../access/authorize.ts";
import { keptAfterDeletionMs } from "../access/websiteDirectory.ts";
import type { ListWebsitesReply } from "../gen/lookout/services.ts";
import type { ListWebsitesRequest } from "../gen/lookout/v1/websites_pb.ts";
import { answerWebsites, messageOf } from "./answerWebsite.ts";
import { type StoredWebsite, storedWebsiteColumns } from "./website.ts";
import type { WebsiteCall } from "./websiteCall.ts";

/**
 * POST /websites/list: the live websites that the credentials may use, by name; or those that were deleted and can
 * still be restored.
 */
export async function listWebsites(request: ListWebsitesRequest, call: WebsiteCall): Promise<ListWebsitesReply> {
  const { deleted, withoutTrackingStatus = false } = request;
  const { app, caller } = call;
  if (caller === undefined) throw authRequired();
  const { rows } = await app.postgres.query<StoredWebsite>(
    `SELECT ${storedWebsiteColumns} FROM websites
     WHERE organization_id = $1 AND ($2::text[] IS NULL OR id = ANY($2))
       AND CASE WHEN $3 THEN deleted_at > now() - $4 * interval '1 millisecond' ELSE deleted_at IS NULL END
     ORDER BY name, id`,
    [caller.organizationId, caller.websiteIds ?? null, deleted ?? false, keptAfterDeletionMs],
  );
  const websites = withoutTrackingStatus
    ? rows.map((website) => messageOf(website, "unknown", call))
    : await answerWebsites(rows, call);
  return { websites, total: rows.length };
}
