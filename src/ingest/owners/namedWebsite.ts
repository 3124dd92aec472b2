import { countMiss } from "../../access/rateLimit/limitMisses.ts";
import type { Website } from "../../access/websiteDirectory.ts";
import { ApiError } from "../../errors/errors.ts";
import type { IngestCall } from "../ingestCall.ts";

/** The parameters that select the website of a whole request. */
export type NamesWebsite = { readonly websiteId: string; readonly clientId: string };

/**
 * The website that a request names by its id or client id; undefined when it names none. Throws what liveWebsite
 * throws.
 */
export async function namedWebsite(call: IngestCall, request: NamesWebsite): Promise<Website | undefined> {
  const name = request.websiteId || request.clientId;
  return name === "" ? undefined : liveWebsite(call, name);
}

/**
 * The website of this id or client id. Throws NOT_FOUND when it does not exist or is deleted (specification part 3),
 * and RATE_LIMIT_EXCEEDED after too many unknown ids. Existing websites are found however often they are looked up.
 */
export async function liveWebsite(call: IngestCall, idOrClientId: string): Promise<Website> {
  const website = await call.app.websites.find(idOrClientId);
  if (website !== undefined && website.deletedAtMs === null) return website;
  countMiss("website", call);
  throw new ApiError("NOT_FOUND", "This website does not exist or was deleted; check its website_id");
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
