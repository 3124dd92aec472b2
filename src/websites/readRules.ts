import type { MessageInitShape } from "@bufbuild/protobuf";
import { type ErrorDetail, validationError } from "../errors/errors.ts";
import type { WebsiteRules, WebsiteRulesSchema } from "../gen/lookout/v1/websites_pb.ts";
import { readCountry, suggestCountry } from "../ingest/facts/countries.ts";
import type { StoredRules } from "../ingest/rules/storedRules.ts";
import { parseAddressRanges, plainAddress } from "../outbound/addressRanges.ts";
import { isStorableText, unstorableText } from "../text/isStorableText.ts";
import { plainPath } from "../text/pagePath.ts";
import { plainHost } from "../visitors/pageAddress.ts";
import { hostOf } from "./readDomain.ts";

type List = keyof StoredRules;

/** A value as it is stored, or why it is refused. */
type Read = string | Omit<ErrorDetail, "field">;

const readers: { readonly [list in List]: (given: string) => Read } = {
  networks: readNetwork,
  countries: readCode,
  hosts: readHostPattern,
  onlyHosts: readHostPattern,
  paths: readPathPattern,
  referrers: readHostPattern,
  userAgents: readAgentPart,
};

const lists = Object.keys(readers) as readonly List[];

/** The rules of a request, each value once. Throws VALIDATION_ERROR that names each value that makes no sense. */
export function readRules(rules: Pick<WebsiteRules, List>): StoredRules {
  const details: ErrorDetail[] = [];
  const read = lists.flatMap((list) => {
    const values = rules[list].flatMap((given, index) => {
      const value = readers[list](given.trim());
      if (typeof value === "string") return [value];
      details.push({ field: `rules.${list}[${index}]`, ...value });
      return [];
    });
    return values.length === 0 ? [] : [[list, [...new Set(values)]] as const];
  });
  if (details.length > 0) throw validationError(details);
  return Object.fromEntries(read);
}

/** Stored rules with all lists. */
export function rulesMessage(rules: StoredRules) {
  return Object.fromEntries(lists.map((list) => [list, [...(rules[list] ?? [])]])) satisfies MessageInitShape<
    typeof WebsiteRulesSchema
  >;
}

function readNetwork(given: string): Read {
  const [start = "", ...bits] = given.split("/");
  const address = plainAddress(start);
  const network = [address ?? start, ...bits].join("/").toLowerCase();
  const problem = { message: "must be an address or a network, such as 203.0.113.7, 203.0.113.0/24 or 2001:db8::/32" };
  if (address === undefined || given.includes(",")) return problem;
  try {
    parseAddressRanges(network);
  } catch {
    return problem;
  }
  return /\/0+$/.test(network) ? { message: "is every address" } : network;
}

function readCode(given: string): Read {
  const code = readCountry(given);
  if (code !== undefined) return code;
  const suggestion = suggestCountry(given);
  return {
    message: "must be an ISO 3166-1 alpha-2 code, such as DE",
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

function readHostPattern(given: string): Read {
  const isBelow = given.startsWith("*.");
  const found = hostOf(isBelow ? given.slice(2) : given);
  const host = found === undefined || isBelow ? found : plainHost(found);
  if (host === undefined)
    return { message: "must be a host name such as shop.example, or *.shop.example for all below it" };
  return isBelow ? `*.${host}` : host;
}

function readPathPattern(given: string): Read {
  if (!isStorableText(given)) return { message: unstorableText };
  if (!given.startsWith("/")) return { message: "must begin with /", suggestion: `/${given}` };
  if (given.slice(0, -1).includes("*")) return { message: "may have * only at its end" };
  return given === "/*" ? { message: "is every page" } : plainPath(given);
}

function readAgentPart(given: string): Read {
  if (!isStorableText(given)) return { message: unstorableText };
  return given.length < 3 ? { message: "must have at least 3 characters" } : given;
}
