import type { CustomEvent, Event, FlatEvent, OutgoingLinkPayload, TrackPayload } from "../gen/lookout/v1/ingest_pb.ts";
import { knownTimeZone } from "../time/timeZone.ts";
import type { IngestEvent, TrackKind } from "./event.ts";
import { readStated, type StatedVisitor } from "./facts/statedVisitor.ts";
import { shortenedText, storedText } from "./facts/storedText.ts";

/** An event from any form that a batch may contain (specification part 6, and the flat form of published trackers). */
export function normaliseEvent(event: Event): IngestEvent {
  switch (event.payload.case) {
    case "track":
      return normaliseTrack(event.payload.value);
    case "outgoingLink":
      return normaliseLink(event.payload.value);
    case "flat":
      return normaliseFlat(event.payload.value);
    case undefined:
      // The contract requires a payload, and items that break it do not reach this.
      throw new TypeError("An event without a payload passed the contract's rules");
  }
}

/** The flat form: time on page in seconds, and nothing validated but the length of the ids. */
export function normaliseFlat(flat: FlatEvent): IngestEvent {
  if (flat.type === "outgoing_link") return { ...normaliseLink(flat), path: storedText(flat.path, maxSentLength) };
  const timeOnPageMs = flat.timeOnPage === undefined ? undefined : flat.timeOnPage * 1_000;
  return normaliseTrack({ ...flat, timeOnPage: timeOnPageMs });
}

/** A custom event, whatever its name: `screen_view` sent by an SDK is no page view. */
export function normaliseCustom(event: CustomEvent): IngestEvent {
  return { ...normaliseTrack(event), kind: "custom" };
}

type TrackFields = Partial<Omit<TrackPayload, "$typeName" | "$unknown">>;

/**
 * A page view, page_exit or custom event, by its name; no field is required. `visitor` states what is known of the
 * visitor, for forms that share nothing else with this one.
 */
export function normaliseTrack(sent: TrackFields, visitor: StatedVisitor = sent): IngestEvent {
  const shortened: string[] = [];
  return {
    ...notFoundYet,
    shortened,
    type: "track",
    kind: kindOfName.get(sent.name ?? "") ?? "custom",
    eventId: sent.eventId || undefined,
    anonymousId: sent.anonymousId || undefined,
    sessionId: sent.sessionId || undefined,
    name: sent.name || undefined,
    atMs: sent.timestamp,
    path: storedText(sent.path, maxSentLength),
    title: shortenedText(sent.title, maxTitleLength, "title", shortened),
    referrer: storedText(sent.referrer, maxSentLength),
    screen: size(sent.screenResolution),
    viewport: size(sent.viewportSize),
    language: shortenedText(sent.language, maxLanguageLength, "language", shortened),
    timezone: knownTimeZone(sent.timezone),
    connection: connections.has(sent.connectionType ?? "") ? sent.connectionType : undefined,
    rttMs: amount(sent.rtt),
    downlinkMbps: amount(sent.downlink),
    utmSource: shortenedText(sent.utmSource, maxCampaignLength, "utm_source", shortened),
    utmMedium: shortenedText(sent.utmMedium, maxCampaignLength, "utm_medium", shortened),
    utmCampaign: shortenedText(sent.utmCampaign, maxCampaignLength, "utm_campaign", shortened),
    utmTerm: shortenedText(sent.utmTerm, maxCampaignLength, "utm_term", shortened),
    utmContent: shortenedText(sent.utmContent, maxCampaignLength, "utm_content", shortened),
    loadTimeMs: amount(sent.loadTime),
    domReadyTimeMs: amount(sent.domReadyTime),
    ttfbMs: amount(sent.ttfb),
    timeOnPageMs: amount(sent.timeOnPage),
    scrollDepthPercent: amount(sent.scrollDepth, 100),
    interactionCount: count(sent.interactionCount),
    pageCount: count(sent.pageCount),
    properties: sent.properties,
    href: undefined,
    text: undefined,
    stated: readStated(visitor),
  };
}

type LinkFields = Partial<Omit<OutgoingLinkPayload, "$typeName" | "$unknown">>;

function normaliseLink(sent: LinkFields): IngestEvent {
  const { eventId, anonymousId, sessionId, timestamp, properties } = sent;
  const event = normaliseTrack({ eventId, anonymousId, sessionId, timestamp, properties }, sent);
  return {
    ...event,
    type: "outgoing_link",
    kind: "link",
    href: shortenedText(sent.href, maxSentLength, "href", event.shortened),
    text: shortenedText(sent.text, maxLinkTextLength, "text", event.shortened),
  };
}

const kindOfName: ReadonlyMap<string, TrackKind> = new Map([
  ["screen_view", "page_view"],
  ["page_view", "page_view"],
  ["pageview", "page_view"],
  ["page_exit", "page_exit"],
]);

/** Values of connection_type; others are dropped because the column's values are never erased. */
const connections: ReadonlySet<string> = new Set(["wifi", "cellular", "ethernet", "unknown"]);

/**
 * Maximum stored lengths, in UTF-16 units. An address still has its query string here, which is removed before the path
 * is measured again.
 */
const maxSentLength = 8_192;
const maxTitleLength = 512;
const maxLanguageLength = 64;
const maxCampaignLength = 512;
const maxLinkTextLength = 1_024;

function size(text: string | undefined): string | undefined {
  return text !== undefined && /^\d{1,5}x\d{1,5}$/.test(text) ? text : undefined;
}

/** The flat form is not validated, so a figure may be anything; invalid ones are left out. */
function amount(value: number | undefined, most = Number.MAX_VALUE): number | undefined {
  return value !== undefined && Number.isFinite(value) && value >= 0 ? Math.min(value, most) : undefined;
}

function count(value: number | undefined): number | undefined {
  const whole = amount(value, 0x7fff_ffff);
  return whole === undefined ? undefined : Math.round(whole);
}

/** What no sender states and the steps find out. */
const notFoundYet = {
  host: undefined,
  referrerSource: undefined,
  referrerGroup: undefined,
  hasAdClickId: false,
  visitor: undefined,
  country: undefined,
  region: undefined,
  city: undefined,
  browser: undefined,
  browserVersion: undefined,
  os: undefined,
  osVersion: undefined,
  device: undefined,
  propertiesText: undefined,
  eventKey: 0,
  visitorKey: undefined,
  sessionKey: undefined,
  clickVisitorKey: undefined,
};
