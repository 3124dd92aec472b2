import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import {
  CustomEventSchema,
  EventSchema,
  FlatEventSchema,
  OutgoingLinkPayloadSchema,
  TrackPayloadSchema,
} from "../../src/gen/lookout/v1/ingest_pb.ts";
import { normaliseCustom, normaliseEvent, normaliseFlat } from "../../src/ingest/normalise.ts";

const payload = {
  eventId: "evt-1",
  name: "page_view",
  anonymousId: "anon-1",
  sessionId: "sess-1",
  sessionStartTime: 1_750_000_000_000,
  timestamp: 1_750_000_001_000,
  path: "https://shop.example/cart?x=1",
  title: "Cart",
  referrer: "https://www.google.com/",
  screenResolution: "1920x1080",
  viewportSize: "1420x880",
  timezone: "Europe/Berlin",
  language: "de-DE",
  connectionType: "wifi",
  rtt: 50,
  downlink: 10.5,
  utmSource: "newsletter",
  loadTime: 800,
  domReadyTime: 500,
  ttfb: 90,
  scrollDepth: 75,
  interactionCount: 3,
  pageCount: 2,
  properties: { plan: "pro" },
};

describe("part 6, track: both forms become the same event", () => {
  it("reads times on the page in ms from the payload form and in seconds from the flat form", () => {
    const track = create(TrackPayloadSchema, { ...payload, timeOnPage: 12_500 });
    const flat = create(FlatEventSchema, { ...payload, timeOnPage: 12.5 });
    const fromPayload = normaliseEvent(create(EventSchema, { payload: { case: "track", value: track } }));
    const fromFlat = normaliseEvent(create(EventSchema, { payload: { case: "flat", value: flat } }));
    expect(fromFlat).toEqual(fromPayload);
    expect(fromPayload).toMatchObject({
      type: "track",
      kind: "page_view",
      eventId: "evt-1",
      anonymousId: "anon-1",
      sessionId: "sess-1",
      atMs: 1_750_000_001_000,
      path: "https://shop.example/cart?x=1",
      screen: "1920x1080",
      viewport: "1420x880",
      timezone: "Europe/Berlin",
      connection: "wifi",
      rttMs: 50,
      downlinkMbps: 10.5,
      utmSource: "newsletter",
      loadTimeMs: 800,
      domReadyTimeMs: 500,
      ttfbMs: 90,
      timeOnPageMs: 12_500,
      scrollDepthPercent: 75,
      interactionCount: 3,
      pageCount: 2,
      properties: { plan: "pro" },
    });
  });

  it.each([
    ["screen_view", "page_view"],
    ["page_view", "page_view"],
    ["pageview", "page_view"],
    ["page_exit", "page_exit"],
    ["signup", "custom"],
  ])("%s is stored as %s", (name, kind) => {
    expect(normaliseFlat(create(FlatEventSchema, { name })).kind).toBe(kind);
  });

  it("reads an SDK's custom event as custom, whatever its name", () => {
    expect(normaliseCustom(create(CustomEventSchema, { name: "screen_view" })).kind).toBe("custom");
  });
});

describe("part 6, outgoing_link: both forms become the same link", () => {
  const link = { eventId: "evt-2", anonymousId: "anon-1", href: "https://other.example/a?b=1", text: "Other" };

  it("reads both", () => {
    const value = create(OutgoingLinkPayloadSchema, link);
    const fromPayload = normaliseEvent(create(EventSchema, { payload: { case: "outgoingLink", value } }));
    const fromFlat = normaliseFlat(create(FlatEventSchema, { ...link, type: "outgoing_link" }));
    expect(fromFlat).toEqual(fromPayload);
    expect(fromPayload).toMatchObject({ type: "outgoing_link", kind: "link", href: link.href, text: "Other" });
  });

  it("keeps the page of a flat link", () => {
    const flat = create(FlatEventSchema, { ...link, type: "outgoing_link", path: "/a" });
    expect(normaliseFlat(flat).path).toBe("/a");
  });
});

describe("part 6: the flat form is not validated, invalid values are left out", () => {
  it.each([
    [{ rtt: -1 }, { rttMs: undefined }],
    [{ rtt: Number.NaN }, { rttMs: undefined }],
    [{ loadTime: Number.POSITIVE_INFINITY }, { loadTimeMs: undefined }],
    [{ scrollDepth: 140 }, { scrollDepthPercent: 100 }],
    [{ interactionCount: 2.4 }, { interactionCount: 2 }],
    [{ pageCount: 1e12 }, { pageCount: 2_147_483_647 }],
    [{ screenResolution: "big" }, { screen: undefined }],
    [{ viewportSize: "0x0" }, { viewport: "0x0" }],
    [{ connectionType: "4g" }, { connection: undefined }],
    [{ timezone: "Mars/Olympus" }, { timezone: undefined }],
    [{ timezone: "asia/calcutta" }, { timezone: "Asia/Kolkata" }],
    [{ timezone: "Asia/Kolkata" }, { timezone: "Asia/Kolkata" }],
    [{ timezone: "+05:30" }, { timezone: undefined }],
    [
      { eventId: "", anonymousId: "", sessionId: "" },
      { eventId: undefined, anonymousId: undefined },
    ],
    [{ title: "" }, { title: undefined }],
  ])("%o is read as %o", (sent, read) => {
    expect(normaliseFlat(create(FlatEventSchema, sent))).toMatchObject(read);
  });

  it("keeps 512 characters of a title and never splits a character", () => {
    expect(normaliseFlat(create(FlatEventSchema, { title: "t".repeat(600) })).title).toBe("t".repeat(512));
    const title = `${"t".repeat(511)}🙂`;
    expect(normaliseFlat(create(FlatEventSchema, { title })).title).toBe("t".repeat(511));
  });
});
