import type { JsonObject } from "@bufbuild/protobuf";
import type { Location } from "../visitors/location.ts";
import type { Campaign } from "../visitors/pageAddress.ts";
import type { Agent } from "../visitors/userAgent.ts";
import type { ReferrerGroup } from "./facts/referrerGroup.ts";
import type { StatedVisitor, VisitorFacts } from "./facts/statedVisitor.ts";

/** Event types of the contract (specification part 6). */
export type EventType = "track" | "outgoing_link";

/** Kinds of events of type `track`; `custom` is any event with a name of its own. */
export type TrackKind = "page_view" | "page_exit" | "custom";

/** What the steps find out of the request and the address of the page, or of what its server states. */
type FoundFacts = Location & Campaign & Omit<Agent, "isBot" | "bot" | "isAutomated">;

/**
 * An event on its way to the store, whatever form it was sent in. `normalise.ts` sets the fields that were sent, and
 * the steps in `steps.ts` then refine it in place: a batch holds a hundred, and copying each at every step costs more
 * than the steps.
 *
 * Milliseconds are Unix time if the name contains `at`. Text that was not sent is undefined, never empty.
 */
export type IngestEvent = { -readonly [name in keyof FoundFacts]: FoundFacts[name] } & {
  readonly type: EventType;
  readonly kind: TrackKind | "link";
  readonly eventId: string | undefined;
  /** As sent, or what stands for it; without it and a session id, the day's id that setDailyVisitor makes. */
  anonymousId: string | undefined;
  /** As sent, or what stands for it. */
  sessionId: string | undefined;
  readonly name: string | undefined;
  /** When it happened; always set after setTime. */
  atMs: number | undefined;
  path: string | undefined;
  /** The host in the page's address, if that was sent as an absolute URL; not stored. */
  host: string | undefined;
  title: string | undefined;
  referrer: string | undefined;
  /** The referring host; empty for direct visits and steps within the website. */
  referrerSource: string | undefined;
  /** Undefined for a step within the website and for events that are no arrivals. */
  referrerGroup: ReferrerGroup | undefined;
  /** Whether the page's address contains the id of a click on an ad. */
  hasAdClickId: boolean;
  /** `<width>x<height>` */
  readonly screen: string | undefined;
  /** `<width>x<height>` */
  readonly viewport: string | undefined;
  readonly language: string | undefined;
  /** Texts that were cut to the maximum length, such as `title to 512 characters`. */
  readonly shortened: string[];
  readonly timezone: string | undefined;
  readonly connection: string | undefined;
  /** What the sender states about the visitor, which counts only from a server. */
  readonly stated: StatedVisitor | undefined;
  /** The same as facts, which take the place of the request's; undefined if a server did not state any. */
  visitor: VisitorFacts | undefined;
  readonly rttMs: number | undefined;
  readonly downlinkMbps: number | undefined;
  readonly loadTimeMs: number | undefined;
  readonly domReadyTimeMs: number | undefined;
  readonly ttfbMs: number | undefined;
  readonly timeOnPageMs: number | undefined;
  readonly scrollDepthPercent: number | undefined;
  readonly interactionCount: number | undefined;
  readonly pageCount: number | undefined;
  readonly properties: JsonObject | undefined;
  /** The properties as JSON text. */
  propertiesText: string | undefined;
  readonly href: string | undefined;
  readonly text: string | undefined;
  /** Identifies the event within its website. */
  eventKey: number;
  /** Undefined for events without a visitor. */
  visitorKey: number | undefined;
  sessionKey: number | undefined;
  /** On arrivals at websites that are targets of short links: the visitor hash that their clicks have. */
  clickVisitorKey: number | undefined;
};
