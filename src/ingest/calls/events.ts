import type { MessageInitShape } from "@bufbuild/protobuf";
import type { CallContext } from "../../gateway/callContext.ts";
import type { JudgedItem } from "../../gen/lookout/services.ts";
import type { NamedEvent, RecordEventsResponseSchema } from "../../gen/lookout/v1/clients_pb.ts";
import type { IngestEvent } from "../event.ts";
import { judgeEach, type NamesWebsite } from "../judgeEach.ts";
import { normaliseTrack } from "../normalise.ts";
import { storeTracked } from "./track.ts";

/** POST /events: stores up to 100 custom events of older clients, which name them `eventName`. Throws what `track` throws. */
export async function recordEvents(
  request: NamesWebsite & { readonly events: readonly JudgedItem<NamedEvent>[] },
  call: CallContext,
): Promise<MessageInitShape<typeof RecordEventsResponseSchema>> {
  const verdicts = await judgeEach(request, request.events, normaliseNamed, call);
  return { type: "custom_event", ...(await storeTracked(verdicts, call)) };
}

function normaliseNamed(event: NamedEvent): IngestEvent {
  const { eventName, eventId, anonymousId, sessionId, timestamp, path, properties } = event;
  const sent = { name: eventName, eventId, anonymousId, sessionId, timestamp, path };
  return { ...normaliseTrack(properties === undefined ? sent : { ...sent, properties }), kind: "custom" };
}
