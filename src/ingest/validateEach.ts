import { mapInSlices } from "../concurrency/timeSlices.ts";
import type { ValidatedItem } from "../gen/lookout/services.ts";
import { readPlaceNamesFor } from "../visitors/placeNames.ts";
import type { IngestEvent } from "./event.ts";
import { readRequestFacts, senderOf } from "./facts/requestFacts.ts";
import type { StatedVisitor } from "./facts/statedVisitor.ts";
import type { IngestCall } from "./ingestCall.ts";
import type { NamesWebsite } from "./owners/namedWebsite.ts";
import { findOwners } from "./owners/owners.ts";
import { websiteOwners } from "./owners/websiteOwners.ts";
import { type Validation, validateEvent } from "./validateEvent.ts";

/**
 * Validates items whose website is given by the query string, by each item or by an API key with the scope
 * write:events. The results are in the order of the items.
 *
 * Throws INVALID_API_KEY, ACCESS_DENIED, MISSING_WEBSITE_ID, NOT_FOUND and RATE_LIMIT_EXCEEDED.
 */
export async function validateEach<T extends { readonly websiteId?: string } & StatedVisitor>(
  request: NamesWebsite,
  items: readonly ValidatedItem<T>[],
  normalise: (value: T) => IngestEvent,
  call: IngestCall,
): Promise<Validation[]> {
  const { caller } = call;
  const { websites } = call.app;
  const sender = senderOf(call);
  if (sender.isServer) await readPlaceNamesFor(items.map(({ value }) => value));
  const owners = websiteOwners(caller, websites, await readRequestFacts(call, sender));
  const contextOf = await findOwners(request, items, call, owners);
  return await mapInSlices(items, (item) => validateEvent(item, normalise, contextOf));
}
