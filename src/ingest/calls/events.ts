import type { RecordEventsReply, ValidatedItem } from "../../gen/lookout/services.ts";
import type { NamedEvent } from "../../gen/lookout/v1/clients_pb.ts";
import type { IngestEvent } from "../event.ts";
import type { IngestCall } from "../ingestCall.ts";
import { normaliseTrack } from "../normalise.ts";
import type { NamesWebsite } from "../owners/namedWebsite.ts";
import { validateEach } from "../validateEach.ts";
import { storeTracked } from "./track.ts";

/**
 * POST /events: stores up to 100 custom events of older clients, which name them in `eventName`. Throws what `track`
 * throws.
 */
export async function recordEvents(
  request: NamesWebsite & { readonly events: readonly ValidatedItem<NamedEvent>[] },
  call: IngestCall,
): Promise<RecordEventsReply> {
  const validations = await validateEach(request, request.events, normaliseNamed, call);
  return { type: "custom_event", ...(await storeTracked(validations, call)) };
}

function normaliseNamed(event: NamedEvent): IngestEvent {
  const { eventName, eventId, anonymousId, sessionId, timestamp, path, properties } = event;
  const sent = { name: eventName, eventId, anonymousId, sessionId, timestamp, path };
  return { ...normaliseTrack(properties === undefined ? sent : { ...sent, properties }, event), kind: "custom" };
}
