import type { BlockList } from "node:net";
import { LRUCache } from "lru-cache";
import { holdsAddress, parseAddressRanges } from "../../outbound/addressRanges.ts";
import { plainHost } from "../../visitors/pageAddress.ts";
import type { RuleKind, StoredRules } from "./storedRules.ts";

/** The rules of a website in the form in which events are compared with them. */
export type WebsiteRules = {
  readonly networks: BlockList | undefined;
  readonly countries: ReadonlySet<string> | undefined;
  /** In lower case. */
  readonly userAgents: readonly string[];
  readonly hosts: HostPatterns | undefined;
  readonly onlyHosts: HostPatterns | undefined;
  readonly paths: PathPatterns | undefined;
  readonly referrers: HostPatterns | undefined;
};

/** What is known of who sends an event; undefined is not known, and a rule does not apply to what is not known. */
export type SenderFacts = {
  readonly address: string | undefined;
  readonly country: string | undefined;
  readonly userAgent: string | undefined;
};

/** The same of the page and of what led to it. Hosts are in the form of `plainHost`. */
export type PageFacts = {
  readonly host: string | undefined;
  readonly path: string | undefined;
  readonly referrer: string | undefined;
  /** Whether an event without a known host counts where only listed hosts do. */
  readonly isTrusted: boolean;
};

/**
 * The rules of a website as PostgreSQL has them, a JSON text; undefined without any. The same text is parsed once, so each version of a website's
 * settings is.
 */
export function rulesOfText(text: string): WebsiteRules | undefined {
  if (text === "{}") return undefined;
  const before = compiled.get(text);
  if (before !== undefined) return before;
  const rules = compileRules(JSON.parse(text) as StoredRules);
  compiled.set(text, rules);
  return rules;
}

export function compileRules(stored: StoredRules): WebsiteRules {
  const { networks = [], countries = [], userAgents = [], hosts = [], onlyHosts = [], paths = [] } = stored;
  return {
    networks: networks.length === 0 ? undefined : parseAddressRanges(networks.join(",")),
    countries: countries.length === 0 ? undefined : new Set(countries),
    userAgents: userAgents.map((text) => text.toLowerCase()),
    hosts: hostPatterns(hosts),
    onlyHosts: hostPatterns(onlyHosts),
    paths: pathPatterns(paths),
    referrers: hostPatterns(stored.referrers ?? []),
  };
}

/** The kind of the first rule that excludes the sender of an event; undefined if no rule does. */
export function ruleOfSender(
  { networks, countries, userAgents }: WebsiteRules,
  { address, country, userAgent }: SenderFacts,
): RuleKind | undefined {
  if (networks !== undefined && address !== undefined && holdsAddress(networks, address)) return "network";
  if (countries !== undefined && country !== undefined && countries.has(country)) return "country";
  if (userAgents.length === 0 || userAgent === undefined) return undefined;
  const agent = userAgent.toLowerCase();
  return userAgents.some((text) => agent.includes(text)) ? "user_agent" : undefined;
}

/** The kind of the first rule that excludes the page of an event; undefined if no rule does. */
export function ruleOfPage(
  { hosts, onlyHosts, paths, referrers }: WebsiteRules,
  { host, path, referrer, isTrusted }: PageFacts,
): RuleKind | undefined {
  if (hosts !== undefined && host !== undefined && holdsHost(hosts, host)) return "host";
  if (onlyHosts !== undefined && (host === undefined ? !isTrusted : !holdsHost(onlyHosts, host)))
    return "unlisted_host";
  if (paths !== undefined && path !== undefined && holdsPath(paths, path)) return "path";
  return referrers !== undefined && referrer && holdsHost(referrers, referrer) ? "referrer" : undefined;
}

/** `*.shop.example` is the suffix `.shop.example`. */
type HostPatterns = { readonly exact: ReadonlySet<string>; readonly suffixes: readonly string[] };

function hostPatterns(patterns: readonly string[]): HostPatterns | undefined {
  if (patterns.length === 0) return undefined;
  return {
    exact: new Set(patterns.filter((pattern) => !pattern.startsWith("*")).map(plainHost)),
    suffixes: patterns.filter((pattern) => pattern.startsWith("*")).map((pattern) => pattern.slice(1)),
  };
}

function holdsHost({ exact, suffixes }: HostPatterns, host: string): boolean {
  return exact.has(host) || suffixes.some((suffix) => host.endsWith(suffix));
}

type PathPatterns = { readonly exact: ReadonlySet<string>; readonly beginnings: readonly string[] };

function pathPatterns(patterns: readonly string[]): PathPatterns | undefined {
  if (patterns.length === 0) return undefined;
  return {
    exact: new Set(patterns.filter((pattern) => !pattern.endsWith("*"))),
    beginnings: patterns.filter((pattern) => pattern.endsWith("*")).map((pattern) => pattern.slice(0, -1)),
  };
}

function holdsPath({ exact, beginnings }: PathPatterns, path: string): boolean {
  return exact.has(path) || beginnings.some((beginning) => path.startsWith(beginning));
}

/** Some kilobytes each. */
const compiled = new LRUCache<string, WebsiteRules>({ max: 1_000 });
