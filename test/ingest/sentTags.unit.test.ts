import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { EventSchema } from "../../src/gen/lookout/v1/ingest_pb.ts";
import { readSentTags } from "../../src/ingest/sentTags.ts";

describe("7.6: an error repeats the event's type and id as sent", () => {
  it.each<[string, unknown, object]>([
    ["payload form", { type: "track", payload: { eventId: "e" } }, { type: "track", eventType: "track", eventId: "e" }],
    ["flat form", { eventId: "e" }, { type: "track", eventType: "track", eventId: "e" }],
    ["proto names", { payload: { event_id: "e" } }, { type: "track", eventType: "track", eventId: "e" }],
    ["a link", { type: "outgoing_link" }, { type: "outgoing_link", eventType: "outgoing_link", eventId: undefined }],
    ["unknown type", { type: "trak", payload: {} }, { type: undefined, eventType: "trak", eventId: undefined }],
    ["a type that is no text", { type: 7, eventId: 7 }, { type: undefined, eventType: "unknown", eventId: undefined }],
    ["no object", "hello", { type: undefined, eventType: "unknown", eventId: undefined }],
    ["null", null, { type: undefined, eventType: "unknown", eventId: undefined }],
    [
      "message",
      create(EventSchema, { payload: { case: "outgoingLink", value: { eventId: "e", href: "" } } }),
      { type: "outgoing_link", eventType: "outgoing_link", eventId: "e" },
    ],
    ["empty message", create(EventSchema), { type: "track", eventType: "track", eventId: undefined }],
  ])("%s", (_, raw, tags) => {
    expect(readSentTags(raw)).toEqual(tags);
  });

  it("does not repeat a type or id of impossible length", () => {
    const tags = readSentTags({ type: "t".repeat(1_000), eventId: "e".repeat(1_000) });
    expect([tags.eventType.length, tags.eventId?.length]).toEqual([64, 512]);
  });
});
