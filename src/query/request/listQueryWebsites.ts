import { authRequired } from "../../access/authorize.ts";
import type { ListQueryWebsitesReply } from "../../gen/lookout/services.ts";
import type { ListQueryWebsitesRequest } from "../../gen/lookout/v1/query_pb.ts";
import type { QueryCall } from "../queryCall.ts";

/**
 * GET /v1/query/websites (specification 4.3): the live websites that the credentials may read, by name. Throws
 * AUTH_REQUIRED without credentials.
 */
export async function listQueryWebsites(
  _request: ListQueryWebsitesRequest,
  call: QueryCall,
): Promise<ListQueryWebsitesReply> {
  if (call.caller === undefined) throw authRequired();
  const websites = await call.app.websites.list(call.caller.organizationId, call.caller.websiteIds);
  return {
    success: true,
    requestId: call.requestId,
    websites: websites.map(({ id, name, domain, publicAccess, createdAtMs }) => ({
      id,
      name,
      domain,
      isPublic: publicAccess,
      createdAt: new Date(createdAtMs).toISOString(),
    })),
    total: websites.length,
  };
}
