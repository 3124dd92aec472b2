import { findShownWebsite } from "../access/findShownWebsite.ts";
import { ApiError } from "../errors/errors.ts";
import type { GetPublicWebsiteReply } from "../gen/lookout/services.ts";
import type { GetPublicWebsiteRequest } from "../gen/lookout/v1/websites_pb.ts";
import type { WebsiteCall } from "./websiteCall.ts";

/**
 * GET /v1/public-website: what a public dashboard says of its website. Rejects with MISSING_WEBSITE_ID, AUTH_REQUIRED and
 * NOT_FOUND, with the same text for what does not exist and what is private.
 */
export async function getPublicWebsite(
  { websiteId }: GetPublicWebsiteRequest,
  call: WebsiteCall,
): Promise<GetPublicWebsiteReply> {
  const website = await findShownWebsite(websiteId, call);
  if (website === undefined)
    throw new ApiError(
      "NOT_FOUND",
      "There is no such website, or your credentials do not reach it. GET /v1/query/websites lists those of the key",
    );
  const { id, name, domain, timezone } = website;
  return { id, name, domain, timezone };
}
