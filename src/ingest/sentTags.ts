import { isMessage } from "@bufbuild/protobuf";
import { CustomEventSchema, EventSchema } from "../gen/lookout/v1/ingest_pb.ts";
import type { EventType } from "./event.ts";
import { storedText } from "./facts/storedText.ts";

/**
 * How a result identifies an event. `eventType` is the type as the event gave it, `track` without one; `type` is
 * undefined when that is no type of the contract.
 */
export type SentTags = {
  readonly type: EventType | undefined;
  readonly eventType: string;
  readonly eventId: string | undefined;
  /** The website that the event names by itself. */
  readonly websiteId?: string;
};

/** Reads what can be read of an event that broke the rules: JSON of any form, or a message. */
export function readSentTags(raw: unknown): SentTags {
  if (isMessage(raw, EventSchema)) {
    const { case: form, value } = raw.payload;
    if (form === "flat") return tags(value.type, value.eventId);
    return tags(form === "outgoingLink" ? "outgoing_link" : form, value?.eventId);
  }
  if (isMessage(raw, CustomEventSchema)) return tags("track", raw.eventId, raw.websiteId);
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return tags(null, undefined);
  const event = new Map<string, unknown>(Object.entries(raw));
  const payload = event.get("payload");
  const content =
    typeof payload === "object" && payload !== null ? new Map<string, unknown>(Object.entries(payload)) : event;
  return tags(
    event.get("type"),
    content.get("eventId") ?? content.get("event_id"),
    event.get("websiteId") ?? event.get("website_id"),
  );
}

function tags(type: unknown, eventId: unknown, websiteId?: unknown): SentTags {
  const eventType = type === undefined || type === "" ? "track" : typeof type === "string" ? type : "unknown";
  return {
    type: eventType === "track" || eventType === "outgoing_link" ? eventType : undefined,
    eventType: storedText(eventType, maxTypeLength) ?? "unknown",
    eventId: typeof eventId === "string" ? storedText(eventId, maxIdLength) : undefined,
    ...(typeof websiteId === "string" && websiteId !== "" ? { websiteId: websiteId.slice(0, maxIdLength) } : {}),
  };
}

/** Answers must not grow with a sender's text. */
const maxTypeLength = 64;
const maxIdLength = 512;
