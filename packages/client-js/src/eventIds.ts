import type { DescMethod } from "@bufbuild/protobuf";

/** Whether a request consists of events that all have an id: these are stored once, however often they are sent. */
export function haveEventIds({ parent }: DescMethod, request: unknown): boolean {
  if (parent.name !== "IngestService") return false;
  const { events, event } = membersOf(request);
  const all: readonly unknown[] = Array.isArray(events) ? events : [event];
  return all.length > 0 && all.every(hasId);
}

/** Whether an event, or what it wraps, has an id. */
function hasId(event: unknown): boolean {
  const { payload, eventId } = membersOf(event);
  const id = payload === undefined ? eventId : membersOf(membersOf(payload)["value"])["eventId"];
  return typeof id === "string" && id !== "";
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return Object(value) as Readonly<Record<string, unknown>>;
}
