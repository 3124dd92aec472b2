import { type PathRules, plainPath, ruledPath } from "../text/pagePath.ts";

/**
 * The parts of an address, split by hand: `URL` costs a microsecond, refuses what trackers send as a path and escapes
 * what it accepts.
 */
type AddressParts = {
  /** The scheme, such as `https://`; empty for a path. */
  readonly scheme: string;
  /** Host and port, without user and password. */
  readonly authority: string;
  readonly path: string;
  /** Without its question mark. */
  readonly query: string;
};

/**
 * The path of a page in its one spelling by the rules of its website, and its query for the campaign. Of an absolute URL the path is used
 * (specification part 6).
 */
export function readPageAddress(address: string, rules: PathRules): { readonly path: string; readonly query: string } {
  const { path, query } = split(address);
  return { path: ruledPath(path === "" && address !== "" ? "/" : plainPath(path), query, rules), query };
}

/** The host of an absolute URL in the form of `plainHost`, without its port; undefined for a path. */
export function readHost(address: string): string | undefined {
  const { authority } = split(address);
  return authority === "" ? undefined : plainHost(authority.replace(/:\d*$/, ""));
}

/** Campaign parameters of a query string. */
export type Campaign = {
  readonly utmSource: string | undefined;
  readonly utmMedium: string | undefined;
  readonly utmCampaign: string | undefined;
  readonly utmTerm: string | undefined;
  readonly utmContent: string | undefined;
};

/** The campaign in a query string; undefined without one. */
export function readCampaign(query: string): Campaign | undefined {
  if (!query.includes("utm_")) return undefined;
  const parameters = new URLSearchParams(query);
  const read = (name: string) => parameters.get(name) || undefined;
  return {
    utmSource: read("utm_source"),
    utmMedium: read("utm_medium"),
    utmCampaign: read("utm_campaign"),
    utmTerm: read("utm_term"),
    utmContent: read("utm_content"),
  };
}

/**
 * The referrer without query string, fragment, user and password, and its host as the source. The source is empty for
 * the website itself, its subdomains, and referrers without a host (trackers send `direct`).
 */
export function readReferrer(referrer: string, ownHost: string): { readonly address: string; readonly source: string } {
  const { scheme, authority, path } = split(referrer);
  if (scheme === "") {
    const host = /^[a-z\d-]+(\.[a-z\d-]+)+(?=$|[:/])/i.exec(path)?.[0];
    return { address: path === "direct" ? "" : path, source: host === undefined ? "" : sourceOf(host, ownHost) };
  }
  return { address: `${scheme}${authority}${path}`, source: sourceOf(authority.replace(/:\d*$/, ""), ownHost) };
}

/** The host in the form used for comparison: in lower case, without `www.` and the dot that ends a full name. */
export function plainHost(host: string): string {
  return host.toLowerCase().replace(/^www\.|\.$/g, "");
}

function sourceOf(host: string, ownHost: string): string {
  const source = plainHost(host);
  return source === ownHost || source.endsWith(`.${ownHost}`) ? "" : source;
}

function split(address: string): AddressParts {
  const [, scheme = "", authority = "", path = "", query = ""] = parts.exec(address) ?? [];
  return { scheme, authority: authority.slice(authority.lastIndexOf("@") + 1), path, query };
}

/** Matches every text. */
const parts = /^(?:([a-z][a-z\d+.-]*:\/\/)([^/?#]*))?([^?#]*)(?:\?([^#]*))?/i;
