import { mayUse } from "../access/authorize.ts";
import type { Caller } from "../access/caller.ts";
import type { Website, WebsiteDirectory } from "../access/websiteDirectory.ts";
import { ApiError } from "../errors.ts";
import type { JudgedItem } from "../gateway/judgedItem.ts";
import type { Drop } from "./dropReasons.ts";
import { liveWebsite, missingWebsite, namedWebsite } from "./namedWebsite.ts";
import type { RequestFacts } from "./requestFacts.ts";
import { createIngestContext, type IngestContext } from "./steps.ts";

/**
 * Finds the website of each event: the one that the query string names, else the one that the event names, else the only one
 * that the key may use.
 *
 * Throws MISSING_WEBSITE_ID, NOT_FOUND or ACCESS_DENIED when that leaves no event with a website; else the events without one are
 * dropped.
 */
export async function findTrackWebsites<T extends { readonly websiteId?: string }>(
  request: { readonly websiteId: string; readonly clientId: string },
  events: readonly JudgedItem<T>[],
  caller: Caller | undefined,
  websites: WebsiteDirectory,
  facts: RequestFacts,
): Promise<(event: T) => IngestContext | Drop> {
  const named = await namedWebsite(websites, request);
  if (named !== undefined) {
    const context = createIngestContext(allowed(named, caller), facts);
    return () => context;
  }
  const found = new Map<string, IngestContext | ApiError>();
  for (const { value } of events) {
    const name = value?.websiteId ?? "";
    if (value !== undefined && !found.has(name)) found.set(name, await findContext(name, caller, websites, facts));
  }
  const errors = [...found.values()].filter((context) => context instanceof ApiError);
  const [firstError] = events.length === 0 ? [missingWebsite()] : errors;
  if (firstError !== undefined && errors.length === found.size) throw firstError;
  return ({ websiteId = "" }) => {
    const context = found.get(websiteId);
    if (context !== undefined && !(context instanceof ApiError)) return context;
    return { reason: "unknown_website", field: "websiteId", message: `cannot be used: ${context?.message}` };
  };
}

async function findContext(
  name: string,
  caller: Caller | undefined,
  websites: WebsiteDirectory,
  facts: RequestFacts,
): Promise<IngestContext | ApiError> {
  try {
    const website = name === "" ? await onlyWebsite(caller, websites) : await liveWebsite(websites, name);
    return createIngestContext(allowed(website, caller), facts);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

async function onlyWebsite(caller: Caller | undefined, websites: WebsiteDirectory): Promise<Website> {
  const [first, second] = caller === undefined ? [] : await websites.list(caller.organizationId, caller.websiteIds);
  if (first === undefined || second !== undefined) throw missingWebsite();
  return first;
}

function allowed(website: Website, caller: Caller | undefined): Website {
  if (caller !== undefined && !mayUse(caller, website))
    throw new ApiError("ACCESS_DENIED", "This API key may not write to this website. Use a key of its organization");
  return website;
}
