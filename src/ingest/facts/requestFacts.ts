import { authenticateKey, mayUse } from "../../access/authorize.ts";
import type { Caller } from "../../access/caller.ts";
import type { Website } from "../../access/websiteDirectory.ts";
import type { Config } from "../../config.ts";
import { ApiError } from "../../errors.ts";
import { readClientAddress } from "../../gateway/call/clientAddress.ts";
import type { Drop } from "../dropReasons.ts";
import type { IngestCall } from "../ingestCall.ts";
import { visitorHash } from "./dailySalt.ts";
import type { Arrival } from "./eventTime.ts";
import { type Location, locate, nowhere } from "./location.ts";
import { type Agent, readUserAgent } from "./userAgent.ts";

/** The facts of a call that apply to each of its events. The visitor's address is not included. */
export type RequestFacts = Arrival & {
  /** The visitor hash that clicks on short links to a website have; undefined if the visitor is unknown. */
  readonly clickVisitorKeyIn: (websiteId: string) => number | undefined;
  readonly agent: Agent;
  readonly location: Location;
  /**
   * Whether a server sends for its visitors, with an API key. Its agent, address and headers then say nothing about
   * them.
   */
  readonly isServer: boolean;
  /** Why no event of the call is stored, although they are valid. */
  readonly ignored: Drop | undefined;
};

/** Reads the facts of a call. `caller` may write to the website with an API key; undefined for visitors' browsers. */
export function readRequestFacts(call: IngestCall, caller?: Caller): RequestFacts {
  const { ingest } = call.app.config;
  const agent = readUserAgent(call.header("user-agent"));
  const isServer = caller !== undefined;
  const ignored = isServer ? undefined : whyIgnored(call, agent, ingest);
  const address = isServer || ignored !== undefined ? undefined : readClientAddress(call, ingest.trustedProxies);
  return {
    clickVisitorKeyIn: (websiteId) => clickVisitorKey(websiteId, address, call),
    agent,
    location: address === undefined ? nowhere : locate(address),
    isServer,
    ignored,
    ...readArrival(call),
  };
}

function clickVisitorKey(websiteId: string, address: string | undefined, call: IngestCall): number | undefined {
  if (address === undefined) return undefined;
  const nowMs = Date.now();
  const salt = call.app.salt.known(nowMs);
  // Events do not wait for it: the first ones of a day go without a visitor key.
  if (salt === undefined) call.app.salt.at(nowMs).catch(() => undefined);
  return salt && visitorHash(salt, websiteId, address, call.header("user-agent") ?? "");
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
 * The caller that sends to a website with an API key on an open path; undefined without a key that may write to it. A
 * key without that permission is no error there: the events are accepted as a browser's.
 */
export async function findWriter(call: IngestCall, website: Website): Promise<Caller | undefined> {
  try {
    const caller = await authenticateKey(call);
    return caller?.scopes.has("write:events") && mayUse(caller, website) ? caller : undefined;
  } catch (error) {
    if (error instanceof ApiError && error.code === "INVALID_API_KEY") return undefined;
    throw error;
  }
}

/** Do Not Track (W3C Tracking Preference Expression) and Global Privacy Control (https://www.w3.org/TR/gpc/). */
function whyIgnored(call: IngestCall, agent: Agent, { honorDoNotTrack }: Config["ingest"]): Drop | undefined {
  if (agent.isBot) return { reason: "bot", field: "", message: "comes from a bot" };
  const refuses = honorDoNotTrack && (call.header("sec-gpc") === "1" || call.header("dnt") === "1");
  return refuses
    ? { reason: "do_not_track", field: "", message: "comes from a visitor who is not counted" }
    : undefined;
}
