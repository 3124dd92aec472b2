import type { Caller } from "../call/caller.ts";
import { missingWebsiteId } from "../errors/errors.ts";
import { isPublic, mayUse } from "./authorize.ts";
import type { Website, WebsiteDirectory } from "./websiteDirectory.ts";

type Reader = {
  readonly app: { readonly websites: Pick<WebsiteDirectory, "find"> };
  readonly caller?: Caller | undefined;
};

/**
 * A live website that is public or that the caller may read, else undefined, as for one that does not exist. Rejects with
 * MISSING_WEBSITE_ID for an empty id.
 */
export async function findShownWebsite(websiteId: string, { app, caller }: Reader): Promise<Website | undefined> {
  if (websiteId === "") throw missingWebsiteId();
  const website = await app.websites.find(websiteId);
  if (website === undefined || website.deletedAtMs !== null) return undefined;
  return isPublic(website) || (caller !== undefined && mayUse(caller, website)) ? website : undefined;
}
