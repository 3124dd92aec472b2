import type { BatchReply, ValidatedItem } from "../../gen/lookout/services.ts";
import type { BatchRequest, Event } from "../../gen/lookout/v1/ingest_pb.ts";
import { readPlaceNamesFor } from "../../visitors/placeNames.ts";
import { resultOf } from "../eventResult.ts";
import { findSender, readRequestFacts } from "../facts/requestFacts.ts";
import type { IngestCall } from "../ingestCall.ts";
import { normaliseEvent } from "../normalise.ts";
import { missingWebsite, namedWebsite } from "../owners/namedWebsite.ts";
import { append, countStored } from "../rows/append.ts";
import { createIngestContext } from "../steps.ts";
import { validateEvent } from "../validateEvent.ts";

/**
 * POST /batch (specification 4.20): stores the valid ones of up to 100 events and reports the result of each. The
 * answer is a success even when every event is invalid, since the specification reports invalid events in `results`
 * only.
 *
 * Throws MISSING_WEBSITE_ID, NOT_FOUND, INVALID_API_KEY, RATE_LIMIT_EXCEEDED and, when the events cannot be stored, SERVICE_UNAVAILABLE.
 */
export async function batch(
  request: Pick<BatchRequest, "websiteId" | "clientId"> & { readonly events: readonly ValidatedItem<Event>[] },
  call: IngestCall,
): Promise<BatchReply> {
  const website = await namedWebsite(call, request);
  if (website === undefined) throw missingWebsite();
  const sender = await findSender(call, website);
  if (sender.isServer) await readPlaceNamesFor(request.events.map(({ value }) => value?.payload.value));
  const context = createIngestContext(website, await readRequestFacts(call, sender));
  const validations = request.events.map((item) => validateEvent(item, normaliseEvent, () => context));
  await append(call.app, validations);
  return {
    status: "success",
    batch: true,
    processed: validations.length,
    batched: countStored(validations),
    results: validations.map(resultOf),
  };
}
