import Bowser from "bowser";
import { LRUCache } from "lru-cache";
import { deviceOfSystem, isTelevision, ownSystem, ownSystems } from "./agentDevice.ts";
import { isAutomated, isBot } from "./bots.ts";
import { nameBot } from "./namedBots.ts";
import type { Bot } from "./ownBotNames.ts";

/** The facts of a user agent; undefined where it does not say or is unknown. */
export type Agent = {
  readonly browser: string | undefined;
  /** The first number, such as 130. */
  readonly browserVersion: string | undefined;
  readonly os: string | undefined;
  /** The first two numbers, such as 17.4; for Windows its name, such as 10 or XP. */
  readonly osVersion: string | undefined;
  /** desktop, mobile, tablet, tv or bot */
  readonly device: string | undefined;
  /** Whether its events are dropped if sent without an API key. */
  readonly isBot: boolean;
  /** Which bot it is; undefined for others. */
  readonly bot?: Bot;
  /** Whether it is not a person's browser, so that following a link with it is no click. */
  readonly isAutomated: boolean;
};

/** Parses a User-Agent header. Results are cached, since a website's visitors share a few thousand of them. */
export function readUserAgent(header: string | undefined): Agent {
  if (header === undefined || header === "") return unknownAgent;
  const text = header.slice(0, maxLength);
  const before = kept.get(text);
  if (before !== undefined) return before;
  const { browser, os, platform } = Bowser.parse(text);
  const browserName = known(browser.name, browserNames);
  const own = ownSystem(text);
  const osName = own?.name ?? known(os.name, osNames);
  const osVersion =
    osName === "Windows" ? known(os.versionName, windowsNames) : (own ?? os).version?.match(twoNumbers)?.[0];
  const agent: Agent = {
    browser: browserName,
    browserVersion: browserName && browser.version?.match(firstNumber)?.[0],
    os: osName,
    osVersion: osName && osVersion,
    device: isTelevision(text) ? "tv" : (known(platform.type, deviceTypes) ?? deviceOfSystem(text)),
    ...(isBot(text) ? { isBot: true, bot: nameBot(text) } : { isBot: false }),
    isAutomated: isAutomated(text),
  };
  kept.set(text, agent);
  return agent;
}

/** What a sender may know of an agent without its User-Agent header. */
export type AgentName = "browser" | "os" | "device";

/** An agent by names that `knownAgentName` returned. */
export function namedAgent(named: { readonly [name in AgentName]: string | undefined }): Agent {
  return { ...unknownAgent, ...named, isAutomated: false };
}

/**
 * The name as it is stored, whatever its case, also by the short form that Bowser has (`edge`); undefined if it is
 * unknown.
 */
export function knownAgentName(kind: AgentName, text: string): string | undefined {
  return storedNames[kind].get(text.toLowerCase());
}

/** The names that a sender may state. */
export function agentNames(kind: AgentName): readonly string[] {
  return [...new Set(storedNames[kind].values())];
}

const unknownAgent: Agent = {
  browser: undefined,
  browserVersion: undefined,
  os: undefined,
  osVersion: undefined,
  device: undefined,
  isBot: false,
  isAutomated: true,
};

/** About 3 MB at 600 bytes each. */
const kept = new LRUCache<string, Agent>({ max: 5_000 });

/** Real ones have less than 300 characters, and parsing time grows with the length. */
const maxLength = 512;

/** For an unknown agent Bowser returns the agent's own words, which must not become stored names. */
const browserNames: ReadonlySet<string> = new Set(Object.values(Bowser.BROWSER_MAP));
const systemNames = { ...Bowser.OS_MAP, ...Object.fromEntries(ownSystems.map((name) => [name, name])) };
const osNames: ReadonlySet<string> = new Set(Object.values(systemNames));
const deviceTypes: ReadonlySet<string> = new Set(Object.values(Bowser.PLATFORMS_MAP));
const windowsNames: ReadonlySet<string> = new Set(["2000", "XP", "2003", "Vista", "7", "8", "8.1", "10"]);

const { bot: _, ...peoplesDevices } = Bowser.PLATFORMS_MAP;
const storedNames: { readonly [name in AgentName]: ReadonlyMap<string, string> } = {
  browser: byLowerCase(Bowser.BROWSER_MAP),
  os: byLowerCase(systemNames),
  device: byLowerCase(peoplesDevices),
};

function byLowerCase(names: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(names).flatMap((pair) => pair.map((name) => [name.toLowerCase(), pair[1]] as const)));
}

/**
 * No more of a version is stored: longer ones identify visitors, and senders must not be able to create endless stored
 * names.
 */
const firstNumber = /^\d{1,3}(?!\d)/;
const twoNumbers = /^\d{1,2}(?!\d)(?:\.\d{1,2}(?!\d))?/;

function known(name: string | undefined, names: ReadonlySet<string>): string | undefined {
  return name !== undefined && names.has(name) ? name : undefined;
}
