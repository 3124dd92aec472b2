import type { Website, WebsiteDirectory } from "../access/websiteDirectory.ts";
import { ApiError } from "../errors.ts";

/** The website that a request names by its id or client id; undefined when it names none. Throws NOT_FOUND. */
export async function namedWebsite(
  websites: WebsiteDirectory,
  request: { readonly websiteId: string; readonly clientId: string },
): Promise<Website | undefined> {
  const name = request.websiteId || request.clientId;
  return name === "" ? undefined : liveWebsite(websites, name);
}

/** The website of this id or client id. Throws NOT_FOUND when there is none, also when it is deleted (specification part 3). */
export async function liveWebsite(websites: WebsiteDirectory, idOrClientId: string): Promise<Website> {
  const website = await websites.find(idOrClientId);
  if (website === undefined || website.deletedAtMs !== null)
    throw new ApiError("NOT_FOUND", "This website does not exist or was deleted; check its website_id");
  return website;
}

export function missingWebsite(): ApiError {
  return new ApiError(
    "MISSING_WEBSITE_ID",
    "Say which website the events belong to: add ?website_id=<id> to the address",
    {
      details: [{ field: "website_id", message: "is required" }],
    },
  );
}
