import { encodedBytes } from "../../text/encodedBytes.ts";
import type { Agent } from "../../visitors/userAgent.ts";
import { type Campaign, campaignMembers, type Link } from "../link.ts";

/**
 * A target of a link: the address with its campaign and, if it is on a tracked website, that website and the path
 * there.
 */
export type Target = {
  readonly url: string;
  readonly websiteId: string | undefined;
  readonly path: string | undefined;
};

/** The targets of a link, by the visitor's device. */
export type Targets = {
  readonly any: Target;
  readonly ios: Target;
  readonly android: Target;
  readonly desktop: Target;
};

type Source = Pick<Link, "targetUrl" | "targetWebsiteId" | "iosUrl" | "androidUrl" | "desktopUrl" | "utm">;

/** Built once per look-up of a link, not per click. */
export function targetsOf({ targetUrl, targetWebsiteId, iosUrl, androidUrl, desktopUrl, utm }: Source): Targets {
  const host = plainHostname(targetUrl);
  const targetOf = (address: string): Target => {
    const url = withCampaign(address, utm);
    if (targetWebsiteId === null || plainHostname(address) !== host)
      return { url, websiteId: undefined, path: undefined };
    return { url, websiteId: targetWebsiteId, path: plainPath(new URL(address).pathname) };
  };
  const any = targetOf(targetUrl);
  return {
    any,
    ios: iosUrl === null ? any : targetOf(iosUrl),
    android: androidUrl === null ? any : targetOf(androidUrl),
    desktop: desktopUrl === null ? any : targetOf(desktopUrl),
  };
}

export function chooseTarget(targets: Targets, { os, device }: Pick<Agent, "os" | "device">): Target {
  if (os === "iOS") return targets.ios;
  if (os === "Android") return targets.android;
  return device === "desktop" ? targets.desktop : targets.any;
}

/** The path of a page in the form used for comparison: without a trailing slash, so empty for the root page. */
function plainPath(path: string): string {
  return path.replace(/\/+$/, "");
}

/** The host of an address as websites name theirs: without `www.` and a trailing dot. */
export function plainHostname(address: string): string {
  return new URL(address).hostname.replace(/\.$/, "").replace(/^www\./, "");
}

/** The address with the campaign as utm_* in its query string, replacing those it had; the rest stays as it was. */
export function withCampaign(address: string, utm: Campaign): string {
  const members = campaignMembers.flatMap((name) => {
    const value = utm[name];
    return value === undefined ? [] : [{ name: `utm_${name}`, value }];
  });
  if (members.length === 0) return address;
  const url = new URL(address);
  const isReplaced = (pair: string) => members.some(({ name }) => pair === name || pair.startsWith(`${name}=`));
  const kept = url.search
    .slice(1)
    .split("&")
    .filter((pair) => pair !== "" && !isReplaced(pair));
  url.search = [...kept, ...members.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`)].join("&");
  return url.href;
}

/**
 * Appends the parameters of a request's query string to an address, as they were sent. A parameter whose name the address has already, for
 * example from the link's campaign, is dropped, so that a request cannot override what the link's owner has set.
 */
export function withQuery(address: string, query: string): string {
  if (query === "") return address;
  const url = new URL(address);
  const own = namesIn(url.search);
  const added = encodedBytes(query)
    .split("&")
    .filter((pair) => pair !== "" && !own.has([...namesIn(pair)][0] ?? ""));
  if (added.length === 0) return address;
  url.search = [...(url.search === "" ? [] : [url.search.slice(1)]), ...added].join("&");
  return url.href;
}

/** The names of the parameters in lower case, since some servers do not distinguish case. */
function namesIn(query: string): ReadonlySet<string> {
  return new Set([...new URLSearchParams(query).keys()].map((name) => name.toLowerCase()));
}
