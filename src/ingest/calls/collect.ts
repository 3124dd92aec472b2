import { validationError } from "../../errors/errors.ts";
import type { CollectReply } from "../../gen/lookout/services.ts";
import type { CollectRequest } from "../../gen/lookout/v1/ingest_pb.ts";
import { readPlaceNamesFor } from "../../visitors/placeNames.ts";
import { findSender, readRequestFacts } from "../facts/requestFacts.ts";
import type { IngestCall } from "../ingestCall.ts";
import { normaliseFlat } from "../normalise.ts";
import { missingWebsite, namedWebsite } from "../owners/namedWebsite.ts";
import { append } from "../rows/append.ts";
import { createIngestContext } from "../steps.ts";
import { validateEvent, wasIgnored } from "../validateEvent.ts";

/**
 * POST /: stores one event or outgoing link, as published trackers send it.
 *
 * Throws MISSING_WEBSITE_ID, NOT_FOUND, INVALID_API_KEY, RATE_LIMIT_EXCEEDED, VALIDATION_ERROR and, when the event cannot be stored,
 * SERVICE_UNAVAILABLE.
 */
export async function collect(
  request: Pick<CollectRequest, "websiteId" | "clientId" | "event">,
  call: IngestCall,
): Promise<CollectReply> {
  const website = await namedWebsite(call, request);
  if (website === undefined) throw missingWebsite();
  const sender = await findSender(call, website);
  if (sender.isServer) await readPlaceNamesFor([request.event]);
  const context = createIngestContext(website, await readRequestFacts(call, sender));
  const item = { value: request.event, violations: [], raw: request.event };
  const validation = validateEvent(item, normaliseFlat, () => context);
  await append(call.app, [validation]);
  if (validation.outcome === "dropped" && wasIgnored(validation))
    return { status: "success", type: validation.tags.type, eventId: validation.tags.eventId };
  if (validation.outcome !== "taken")
    throw validationError([{ field: validation.drop.field, message: validation.drop.message }]);
  return { status: "success", type: validation.event.type, eventId: validation.event.eventId };
}
