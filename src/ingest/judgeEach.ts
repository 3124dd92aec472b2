import { mapInSlices } from "../concurrency/timeSlices.ts";
import type { CallContext } from "../gateway/callContext.ts";
import type { JudgedItem } from "../gen/lookout/services.ts";
import type { IngestEvent } from "./event.ts";
import { readRequestFacts } from "./facts/requestFacts.ts";
import { judge, type Verdict } from "./judge.ts";
import { findOwners } from "./owners/owners.ts";
import { websiteOwners } from "./owners/websiteOwners.ts";

/** What names the website of a whole request. */
export type NamesWebsite = { readonly websiteId: string; readonly clientId: string };

/**
 * Judges items whose website is named by the query string, by each item or by an API key with the scope write:events. The verdicts are
 * in the order of the items.
 *
 * Throws INVALID_API_KEY, ACCESS_DENIED, MISSING_WEBSITE_ID, NOT_FOUND and RATE_LIMIT_EXCEEDED.
 */
export async function judgeEach<T extends { readonly websiteId?: string }>(
  request: NamesWebsite,
  items: readonly JudgedItem<T>[],
  normalise: (value: T) => IngestEvent,
  call: CallContext,
): Promise<Verdict[]> {
  const { caller } = call;
  const { websites } = call.app;
  const owners = websiteOwners(caller, websites, readRequestFacts(call, caller));
  const contextOf = await findOwners(request, items, call, owners);
  return await mapInSlices(items, (item) => judge(item, normalise, contextOf));
}
