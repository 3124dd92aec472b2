import { mayUse } from "../../access/authorize.ts";
import type { Website } from "../../access/websiteDirectory.ts";
import type { Caller } from "../../call/caller.ts";
import { ApiError } from "../../errors/errors.ts";
import type { ValidatedItem } from "../../gen/lookout/services.ts";
import type { Drop } from "../dropReasons.ts";
import type { IngestCall } from "../ingestCall.ts";
import { readSentTags } from "../sentTags.ts";
import { liveWebsite, type NamesWebsite, namedWebsite } from "./namedWebsite.ts";

/**
 * How an item's owner is determined: from the named website, or without one by `unnamed`, which may reject with an
 * ApiError.
 */
export type OwnerKind<Owner> = {
  readonly ofWebsite: (website: Website) => Owner;
  readonly unnamed: () => Promise<Owner>;
};

/**
 * Determines the owner of each item: the website in the query string, else the one in the item, else the result of
 * `unnamed`. An empty list is treated like one item without a website. What can be read of an item that breaks the rules
 * has an owner too, since it counts as left out of its website.
 *
 * Throws MISSING_WEBSITE_ID, NOT_FOUND, RATE_LIMIT_EXCEEDED or ACCESS_DENIED when no item has an owner; else items
 * without one are dropped.
 */
export async function findOwners<T extends { readonly websiteId?: string }, Owner extends object>(
  request: NamesWebsite,
  items: readonly ValidatedItem<T>[],
  call: IngestCall,
  { ofWebsite, unnamed }: OwnerKind<Owner>,
): Promise<(item: { readonly websiteId?: string }) => Owner | Drop> {
  const { caller } = call;
  const named = await namedWebsite(call, request);
  if (named !== undefined) {
    const owner = ofWebsite(allowed(named, caller));
    return () => owner;
  }
  const names = items.length === 0 ? [""] : items.flatMap(({ value }) => (value === undefined ? [] : nameOf(value)));
  const found = new Map<string, Owner | ApiError>();
  const findAll = async (wanted: readonly string[]) => {
    for (const name of new Set(wanted)) {
      if (found.has(name)) continue;
      const find = async () => (name === "" ? unnamed() : ofWebsite(allowed(await liveWebsite(call, name), caller)));
      found.set(name, await find().catch(asAnswer));
    }
  };
  await findAll(names);
  const errors = [...found.values()].filter((owner) => owner instanceof ApiError);
  const [firstError] = errors;
  if (firstError !== undefined && errors.length === found.size) throw firstError;
  // Errors of these are not the request's.
  await findAll(items.flatMap(({ value, raw }) => (value === undefined ? [nameOf(readSentTags(raw))] : [])));
  return (item) => {
    const owner = found.get(nameOf(item));
    if (owner !== undefined && !(owner instanceof ApiError)) return owner;
    return { reason: "unknown_website", field: "websiteId", message: `cannot be used: ${owner?.message}` };
  };
}

const nameOf = ({ websiteId = "" }: { readonly websiteId?: string }) => websiteId;

/** An error that a caller may see; others are rethrown. */
function asAnswer(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}

function allowed(website: Website, caller: Caller | undefined): Website {
  if (caller !== undefined && !mayUse(caller, website))
    throw new ApiError("ACCESS_DENIED", "This API key may not write to this website. Use a key of its organization");
  return website;
}
