import { authenticateKey, mayUse } from "../../access/authorize.ts";
import type { Website } from "../../access/websiteDirectory.ts";
import { readClientAddress } from "../../call/clientAddress.ts";
import type { Config } from "../../config.ts";
import { dailyVisitorId, endingId, visitorHash } from "../../visitors/dailySalt.ts";
import { type Location, locate, nowhere } from "../../visitors/location.ts";
import { readHost } from "../../visitors/pageAddress.ts";
import { type Agent, readUserAgent } from "../../visitors/userAgent.ts";
import { comesFromBot, type Drop } from "../dropReasons.ts";
import type { IngestCall } from "../ingestCall.ts";
import type { RuleKind } from "../rules/storedRules.ts";
import { ruleOfSender, type SenderFacts, type WebsiteRules } from "../rules/websiteRules.ts";
import type { Arrival } from "./eventTime.ts";
import type { VisitorFacts } from "./statedVisitor.ts";

/** What the hashes of a visitor are made from. */
type HashedFacts = Pick<VisitorFacts, "address" | "userAgent">;

/** The facts of a call that apply to each of its events. The visitor's address is not included. */
export type RequestFacts = Arrival & {
  /**
   * The visitor hash that clicks on short links to a website have; undefined if the visitor is unknown. A server states
   * the visitor.
   */
  readonly clickVisitorKeyIn: (websiteId: string, stated?: HashedFacts) => number | undefined;
  /**
   * The id of a visitor who sends none, made from address, user agent and the day's salt; undefined if one of them is
   * unknown. A server states address and user agent.
   */
  readonly dailyVisitorIdIn: (websiteId: string, stated: HashedFacts | undefined) => string | undefined;
  /** The kind of rule that excludes who sends an event; undefined if none does. A server states the visitor. */
  readonly ruleOfSenderIn: (rules: WebsiteRules, stated: VisitorFacts | undefined) => RuleKind | undefined;
  /** The host of the page that sends to us; undefined if that is not known, as of a server. */
  readonly pageHost: () => string | undefined;
  /**
   * What stands for an id that was sent, within the UTC day of a time (Unix ms), where a website's ids end with the day; undefined while the
   * day's salt is unknown.
   */
  readonly endingIdIn: (websiteId: string, timeMs: number, id: string) => string | undefined;
  readonly agent: Agent;
  readonly location: Location;
  /**
   * Whether a server sends for its visitors, with an API key. Its agent, address and headers then say nothing about
   * them.
   */
  readonly isServer: boolean;
  /** Why a call with an API key is not a server's; undefined without a key. */
  readonly keyProblem: string | undefined;
  /** Why no event of the call is stored, although they are valid. */
  readonly ignored: Drop | undefined;
};

/** Who sends a call's events: a server whose API key may write to the website, or a browser. */
export type Sender = Pick<RequestFacts, "isServer" | "keyProblem">;

/** Reads the facts of a call. Waits for the day's salt, with a limit; never rejects. */
export async function readRequestFacts(call: IngestCall, { isServer, keyProblem }: Sender): Promise<RequestFacts> {
  const { ingest } = call.app.config;
  const agent = readUserAgent(call.header("user-agent"));
  const ignored = isServer ? undefined : whyIgnored(call, agent, ingest);
  // Read before any wait: a connection that is closed later has no address.
  const address = isServer || ignored !== undefined ? undefined : readClientAddress(call, ingest.trustedProxies);
  const { salt: dailySalt, config } = call.app;
  const salt = ignored === undefined ? await dailySalt.inTime(Date.now(), config.postgres.lookUpTimeoutMs) : undefined;
  const own: HashedFacts = { address, userAgent: call.header("user-agent") };
  const location = address === undefined ? nowhere : locate(address);
  const sender: SenderFacts = { ...(isServer ? unknownSender : own), country: location.country };
  return {
    ruleOfSenderIn: (rules, stated) => ruleOfSender(rules, stated === undefined ? sender : statedSender(stated)),
    pageHost: () => (isServer ? undefined : hostOfPage(call)),
    clickVisitorKeyIn: (websiteId, stated = own) => clickVisitorKey(salt, websiteId, stated),
    dailyVisitorIdIn: (websiteId, stated = own) => visitorId(salt, websiteId, stated),
    endingIdIn: (websiteId, timeMs, id) => (salt === undefined ? undefined : endingId(salt, websiteId, timeMs, id)),
    agent,
    location,
    isServer,
    keyProblem,
    ignored,
    ...readArrival(call),
  };
}

const unknownSender = { address: undefined, userAgent: undefined };

function statedSender({ address, userAgent, location }: VisitorFacts): SenderFacts {
  return { address, userAgent, country: location.country };
}

/** Browsers name the page's origin with each POST (Fetch standard, section 3.2), and images name the page. A page of a file has the origin `null`. */
function hostOfPage(call: IngestCall): string | undefined {
  return readHost(call.header("origin") ?? "") ?? readHost(call.header("referer") ?? "");
}

function clickVisitorKey(
  salt: Buffer | undefined,
  websiteId: string,
  { address, userAgent = "" }: HashedFacts,
): number | undefined {
  if (salt === undefined || address === undefined) return undefined;
  return visitorHash(salt, websiteId, address, userAgent);
}

/** An address without a user agent is shared by too many people to be a visitor. */
function visitorId(salt: Buffer | undefined, websiteId: string, { address, userAgent }: HashedFacts) {
  if (salt === undefined || address === undefined || !userAgent) return undefined;
  return dailyVisitorId(salt, websiteId, address, userAgent);
}

/** The arrival of a call's events: now. */
export function readArrival(call: IngestCall): Arrival {
  const { ingest } = call.app.config;
  return {
    arrivedAtMs: Date.now(),
    maxClockAheadMs: ingest.maxClockAheadMs,
    maxEventAgeDays: ingest.maxEventAgeDays,
  };
}

/**
 * Who sends to a website on an open path. A key that may not write to the website is no error there: the events are
 * accepted as a browser's. Throws INVALID_API_KEY for a key that is unknown, expired or revoked.
 */
export async function findSender(call: IngestCall, website: Website): Promise<Sender> {
  const caller = await authenticateKey(call);
  if (caller === undefined) return browser;
  if (!caller.scopes.has("write:events"))
    return { isServer: false, keyProblem: "may be stated only with an API key that has the scope write:events" };
  if (!mayUse(caller, website))
    return { isServer: false, keyProblem: "may be stated only with an API key that may write to this website" };
  return { isServer: true, keyProblem: undefined };
}

/** Who sends on a path where a key must be allowed to write: a server, or without a key a browser. */
export function senderOf({ caller }: IngestCall): Sender {
  return caller === undefined ? browser : { isServer: true, keyProblem: undefined };
}

const browser: Sender = { isServer: false, keyProblem: undefined };

/** Do Not Track (W3C Tracking Preference Expression) and Global Privacy Control (https://www.w3.org/TR/gpc/). */
function whyIgnored(call: IngestCall, agent: Agent, { honorDoNotTrack }: Config["ingest"]): Drop | undefined {
  if (agent.isBot) return comesFromBot(agent.bot);
  const refuses = honorDoNotTrack && (call.header("sec-gpc") === "1" || call.header("dnt") === "1");
  return refuses
    ? { reason: "do_not_track", field: "", message: "comes from a visitor who is not counted" }
    : undefined;
}
