import type { TrackReply, ValidatedItem } from "../../gen/lookout/services.ts";
import type { CustomEvent, TrackRequest } from "../../gen/lookout/v1/ingest_pb.ts";
import { resultOf } from "../eventResult.ts";
import type { IngestCall } from "../ingestCall.ts";
import { normaliseCustom } from "../normalise.ts";
import { nothingStored } from "../nothingStored.ts";
import { append, countStored } from "../rows/append.ts";
import { validateEach } from "../validateEach.ts";
import { type Validation, wasIgnored } from "../validateEvent.ts";

/**
 * POST /track: stores up to 100 custom events, as SDKs send them. SDKs check only the status, so the answer is an error
 * when no event can be stored; otherwise invalid events are reported in `results`.
 *
 * Throws INVALID_API_KEY, ACCESS_DENIED, MISSING_WEBSITE_ID, NOT_FOUND, RATE_LIMIT_EXCEEDED, VALIDATION_ERROR and, when
 * the events cannot be stored, SERVICE_UNAVAILABLE.
 */
export async function track(
  request: Pick<TrackRequest, "websiteId" | "clientId"> & { readonly events: readonly ValidatedItem<CustomEvent>[] },
  call: IngestCall,
): Promise<TrackReply> {
  const validations = await validateEach(request, request.events, normaliseCustom, call);
  return { type: "custom_event", ...(await storeTracked(validations, call)) };
}

/**
 * Stores the accepted events and reports the result of each. Throws VALIDATION_ERROR and SERVICE_UNAVAILABLE as
 * described above.
 */
export async function storeTracked(
  validations: readonly Validation[],
  call: IngestCall,
): Promise<Omit<TrackReply, "$typeName" | "type">> {
  await append(call.app, validations);
  const { track: count } = countStored(validations);
  if (count === 0 && validations.length > 0 && !validations.some(wasIgnored)) throw nothingStored(validations);
  return { status: "success", processed: validations.length, count, results: validations.map(resultOf) };
}
