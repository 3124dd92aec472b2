import Bowser from "bowser";
import { isBot } from "./bots.ts";

/** What a user agent tells; undefined where it does not say or names something unknown. */
export type Agent = {
  readonly browser: string | undefined;
  readonly os: string | undefined;
  /** desktop, mobile, tablet, tv or bot */
  readonly device: string | undefined;
  readonly isBot: boolean;
};

/** Reads a User-Agent header. Answers are kept, since a website's visitors share a few thousand of them. */
export function readUserAgent(header: string | undefined): Agent {
  if (header === undefined || header === "") return unknownAgent;
  const text = header.slice(0, maxLength);
  const before = kept.get(text);
  if (before !== undefined) return before;
  const { browser, os, platform } = Bowser.parse(text);
  const agent: Agent = {
    browser: known(browser.name, browserNames),
    os: known(os.name, osNames),
    device: known(platform.type, deviceTypes),
    isBot: isBot(text),
  };
  if (kept.size >= maxKept) kept.clear();
  kept.set(text, agent);
  return agent;
}

const unknownAgent: Agent = { browser: undefined, os: undefined, device: undefined, isBot: false };

const kept = new Map<string, Agent>();

/** About 3 MB at 600 bytes each. */
const maxKept = 5_000;

/** Real ones stay below 300 characters; parsing takes time in the length. */
const maxLength = 512;

/** For an agent it does not know Bowser answers with the agent's own words, which must not become stored names. */
const browserNames: ReadonlySet<string> = new Set(Object.values(Bowser.BROWSER_MAP));
const osNames: ReadonlySet<string> = new Set(Object.values(Bowser.OS_MAP));
const deviceTypes: ReadonlySet<string> = new Set(Object.values(Bowser.PLATFORMS_MAP));

function known(name: string | undefined, names: ReadonlySet<string>): string | undefined {
  return name !== undefined && names.has(name) ? name : undefined;
}
