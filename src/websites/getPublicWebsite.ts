import { isPublic, mayUse } from "../access/authorize.ts";
import { ApiError } from "../errors.ts";
import type { GetPublicWebsiteReply } from "../gen/lookout/services.ts";
import type { GetPublicWebsiteRequest } from "../gen/lookout/v1/websites_pb.ts";
import type { WebsiteCall } from "./websiteCall.ts";

/**
 * GET /v1/public-website: what a public dashboard says of its website. Rejects with MISSING_WEBSITE_ID, AUTH_REQUIRED and
 * NOT_FOUND, with the same text for what does not exist and what is private.
 */
export async function getPublicWebsite(
  { websiteId }: GetPublicWebsiteRequest,
  { app, caller }: WebsiteCall,
): Promise<GetPublicWebsiteReply> {
  if (websiteId === "")
    throw new ApiError("MISSING_WEBSITE_ID", "Add website_id to the query string to choose the website");
  const website = await app.websites.find(websiteId);
  const isReached =
    website !== undefined &&
    website.deletedAtMs === null &&
    (isPublic(website) || (caller !== undefined && mayUse(caller, website)));
  if (!isReached)
    throw new ApiError(
      "NOT_FOUND",
      "There is no such website, or your credentials do not reach it. GET /v1/query/websites lists those of the key",
    );
  const { id, name, domain, timezone } = website;
  return { id, name, domain, timezone };
}
