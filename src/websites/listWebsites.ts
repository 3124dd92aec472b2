import { authRequired } from "../access/authorize.ts";
import { keptAfterDeletionMs } from "../access/websiteDirectory.ts";
import { pageOf, rowsToRead } from "../call/listPage.ts";
import type { ListWebsitesReply } from "../gen/lookout/services.ts";
import type { ListWebsitesRequest } from "../gen/lookout/v1/websites_pb.ts";
import { answerWebsites } from "./answerWebsite.ts";
import { type StoredWebsite, storedWebsiteColumns, websiteMessage } from "./website.ts";
import type { WebsiteCall } from "./websiteCall.ts";

/**
 * POST /websites/list: the live websites that the credentials may use, by name; or those that were deleted and can
 * still be restored. Rejects with VALIDATION_ERROR (the cursor).
 */
export async function listWebsites(request: ListWebsitesRequest, call: WebsiteCall): Promise<ListWebsitesReply> {
  const { deleted, withoutTrackingStatus = false } = request;
  const { app, caller } = call;
  if (caller === undefined) throw authRequired();
  const values = [caller.organizationId, caller.websiteIds ?? null, deleted ?? false, keptAfterDeletionMs];
  const { rows } = await app.postgres.query<StoredWebsite>(
    `SELECT ${storedWebsiteColumns} FROM websites WHERE ${where}
       AND ($5::text IS NULL OR (name, id) > (SELECT name, id FROM websites WHERE id = $5))
     ORDER BY name, id LIMIT $6`,
    [...values, request.cursor ?? null, rowsToRead(request)],
  );
  const listed = { table: "websites", owner: "organization_id", where, values } as const;
  const { page, total, next } = await pageOf(rows, request, listed, app.postgres);
  const websites = withoutTrackingStatus
    ? page.map((website) => websiteMessage(website, "unknown", call))
    : await answerWebsites(page, call);
  return { websites, total, ...next };
}

/** Those of the organization $1 and the ids $2 (null: all) that are live or, with $3, were deleted less than $4 ms ago. */
const where = `organization_id = $1 AND ($2::text[] IS NULL OR id = ANY($2))
  AND CASE WHEN $3 THEN deleted_at > now() - $4 * interval '1 millisecond' ELSE deleted_at IS NULL END`;
