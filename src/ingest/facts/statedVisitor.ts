import { plainAddress } from "../../outbound/addressRanges.ts";
import { nearest } from "../../text/nearest.ts";
import { type Location, locate } from "../../visitors/location.ts";
import { isPlaceName } from "../../visitors/placeNames.ts";
import {
  type Agent,
  type AgentName,
  agentNames,
  knownAgentName,
  namedAgent,
  readUserAgent,
} from "../../visitors/userAgent.ts";
import type { Drop } from "../dropReasons.ts";
import { readCountry, suggestCountry } from "./countries.ts";

/** What a server states about the visitor of an event. */
export type StatedVisitor = {
  readonly ip?: string | undefined;
  readonly userAgent?: string | undefined;
  readonly browser?: string | undefined;
  readonly os?: string | undefined;
  readonly device?: string | undefined;
  readonly country?: string | undefined;
  readonly region?: string | undefined;
  readonly city?: string | undefined;
};

/** The same as facts. The address is only there for the visitor's hash; nothing of it is stored. */
export type VisitorFacts = {
  readonly address: string | undefined;
  readonly userAgent: string | undefined;
  /** Undefined when nothing was stated. */
  readonly agent: Agent | undefined;
  readonly location: Location;
  /** What is not stored although the event is, with the reason, such as `city (…)`. */
  readonly leftOut: readonly string[];
};

/** In the order in which errors are reported. */
export const statedNames = ["ip", "userAgent", "browser", "os", "device", "country", "region", "city"] as const;

/** What an event states; undefined if that is nothing. Empty texts state nothing. */
export function readStated(sent: StatedVisitor): StatedVisitor | undefined {
  const { ip, userAgent, browser, os, device, country, region, city } = sent;
  if (!(ip || userAgent || browser || os || device || country || region || city)) return undefined;
  return { ip, userAgent, browser, os, device, country, region, city };
}

/**
 * The facts of a stated visitor, or why the event is refused: values of which there is a list that all know must be
 * right. Names of browsers, systems and places are left out if they are unknown, since no list of them is complete.
 */
export function describeVisitor(stated: StatedVisitor): VisitorFacts | Drop {
  const { userAgent } = stated;
  const address = stated.ip ? plainAddress(stated.ip) : undefined;
  if (stated.ip && address === undefined)
    return invalid("ip", "must be an IPv4 or IPv6 address, such as 203.0.113.7 or 2001:db8::7");
  const leftOut: string[] = [];
  const agent = userAgent ? agentOf(stated, userAgent) : readNames(stated, leftOut);
  if (agent !== undefined && "reason" in agent) return agent;
  const location = readPlace(stated, address, leftOut);
  if ("reason" in location) return location;
  return { address, userAgent, agent, location, leftOut };
}

function agentOf(stated: StatedVisitor, userAgent: string): Agent | Drop {
  const contradiction = (["browser", "os", "device"] as const).find((name) => stated[name]);
  if (contradiction !== undefined)
    return invalid(contradiction, "must not be stated together with userAgent, which says it already");
  return readUserAgent(userAgent);
}

function readNames({ browser, os, device }: StatedVisitor, leftOut: string[]): Agent | Drop | undefined {
  if (!(browser || os || device)) return undefined;
  const named = device ? knownAgentName("device", device) : undefined;
  if (device && named === undefined)
    return invalid("device", `must be one of ${agentNames("device").join(", ")}${hint("device", device)}`);
  const known = (kind: AgentName, text: string | undefined) => {
    const name = text && knownAgentName(kind, text);
    if (text && !name) leftOut.push(`${kind} (no known name${hint(kind, text)})`);
    return name || undefined;
  };
  return namedAgent({ browser: known("browser", browser), os: known("os", os), device: named });
}

function hint(kind: AgentName, text: string): string {
  const name = nearest(text, agentNames(kind));
  return name === undefined ? "" : `; did you mean ${name}?`;
}

/** A stated place counts as a whole: what it lacks is not filled in from the address, which may be elsewhere. */
function readPlace(stated: StatedVisitor, address: string | undefined, leftOut: string[]): Location | Drop {
  const { country, region, city } = stated;
  if (!(country || region || city)) return locate(address);
  if (!country) return invalid("country", `is required with ${region ? "region" : "city"}`);
  const code = readCountry(country);
  if (code === undefined) {
    const meant = suggestCountry(country);
    return invalid(
      "country",
      `must be an ISO 3166-1 alpha-2 code, such as DE${meant === undefined ? "" : `; did you mean ${meant}?`}`,
    );
  }
  const known = (field: string, text: string | undefined) => {
    if (!text || isPlaceName(text)) return text || undefined;
    leftOut.push(`${field} (no English name of a place in the location database)`);
    return undefined;
  };
  return { country: code, region: known("region", region), city: known("city", city) };
}

function invalid(field: (typeof statedNames)[number], message: string): Drop {
  return { reason: "invalid", field, message };
}
