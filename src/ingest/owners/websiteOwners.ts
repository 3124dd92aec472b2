import type { Website, WebsiteDirectory } from "../../access/websiteDirectory.ts";
import type { Caller } from "../../call/caller.ts";
import type { RequestFacts } from "../facts/requestFacts.ts";
import { createIngestContext, type IngestContext } from "../steps.ts";
import { missingWebsite } from "./namedWebsite.ts";
import type { OwnerKind } from "./owners.ts";

/** Events belong to a website: if none is named, to the only one that the key may use. */
export function websiteOwners(
  caller: Caller | undefined,
  websites: WebsiteDirectory,
  facts: RequestFacts,
): OwnerKind<IngestContext> {
  return {
    ofWebsite: (website) => createIngestContext(website, facts),
    unnamed: async () => createIngestContext(await onlyWebsite(caller, websites), facts),
  };
}

async function onlyWebsite(caller: Caller | undefined, websites: WebsiteDirectory): Promise<Website> {
  const [first, second] = caller === undefined ? [] : await websites.list(caller.organizationId, caller.websiteIds);
  if (first === undefined || second !== undefined) throw missingWebsite();
  return first;
}
