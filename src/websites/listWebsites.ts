import { authRequired } from "../access/authorize.ts";
import type { ListWebsitesReply } from "../gen/lookout/services.ts";
import type { ListWebsitesRequest } from "../gen/lookout/v1/websites_pb.ts";
import { answerWebsites } from "./answerWebsite.ts";
import { type StoredWebsite, storedWebsiteColumns } from "./website.ts";
import type { WebsiteCall } from "./websiteCall.ts";

/** POST /websites/list: the live websites that the credentials may use, by name. */
export async function listWebsites(_request: ListWebsitesRequest, call: WebsiteCall): Promise<ListWebsitesReply> {
  const { app, caller } = call;
  if (caller === undefined) throw authRequired();
  const { rows } = await app.postgres.query<StoredWebsite>(
    `SELECT ${storedWebsiteColumns} FROM websites
     WHERE organization_id = $1 AND deleted_at IS NULL AND ($2::text[] IS NULL OR id = ANY($2)) ORDER BY name, id`,
    [caller.organizationId, caller.websiteIds ?? null],
  );
  return { websites: await answerWebsites(rows, call), total: rows.length };
}
