import { mayUse } from "../access/authorize.ts";
import type { Caller } from "../access/caller.ts";
import type { Website, WebsiteDirectory } from "../access/websiteDirectory.ts";
import { ApiError } from "../errors.ts";
import type { JudgedItem } from "../gateway/judgedItem.ts";
import type { LlmCall } from "../gen/lookout/v1/llm_calls_pb.ts";
import type { Drop } from "./dropReasons.ts";
import type { NamesWebsite } from "./judgeEach.ts";
import { liveWebsite, missingWebsite, namedWebsite } from "./namedWebsite.ts";

/** Whom a call of a language model belongs to: a website, or an organization only. */
export type CallOwner = { readonly organizationId: string; readonly websiteId: string | undefined };

/**
 * Finds whom each call belongs to: the website that the query string names, else the one that the call names, else the key's
 * organization. A key that is limited to websites must name one of them.
 *
 * Throws MISSING_WEBSITE_ID, NOT_FOUND or ACCESS_DENIED when that leaves no call with an owner; else the calls without one are dropped.
 */
export async function findCallOwners(
  request: NamesWebsite,
  calls: readonly JudgedItem<LlmCall>[],
  caller: Caller | undefined,
  websites: WebsiteDirectory,
): Promise<(call: LlmCall) => CallOwner | Drop> {
  const named = await namedWebsite(websites, request);
  if (named !== undefined) {
    const owner = websiteOwner(named, caller);
    return () => owner;
  }
  if (calls.length === 0 && caller === undefined) throw missingWebsite();
  const found = new Map<string, CallOwner | ApiError>();
  for (const { value } of calls) {
    const name = value?.websiteId ?? "";
    if (value !== undefined && !found.has(name)) found.set(name, await findOwner(name, caller, websites));
  }
  const errors = [...found.values()].filter((owner) => owner instanceof ApiError);
  const [firstError] = errors;
  if (firstError !== undefined && errors.length === found.size) throw firstError;
  return ({ websiteId = "" }) => {
    const owner = found.get(websiteId);
    if (owner !== undefined && !(owner instanceof ApiError)) return owner;
    return { reason: "unknown_website", field: "websiteId", message: `cannot be used: ${owner?.message}` };
  };
}

async function findOwner(
  name: string,
  caller: Caller | undefined,
  websites: WebsiteDirectory,
): Promise<CallOwner | ApiError> {
  try {
    if (name !== "") return websiteOwner(await liveWebsite(websites, name), caller);
    if (caller === undefined || caller.websiteIds !== undefined) throw missingWebsite();
    return { organizationId: caller.organizationId, websiteId: undefined };
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

function websiteOwner(website: Website, caller: Caller | undefined): CallOwner {
  if (caller !== undefined && !mayUse(caller, website))
    throw new ApiError("ACCESS_DENIED", "This API key may not write to this website. Use a key of its organization");
  return { organizationId: website.organizationId, websiteId: website.id };
}
