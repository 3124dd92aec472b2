import type { Pool } from "pg";
import type { LinkCall } from "../linkCall.ts";
import { comparableHost, thisComputer } from "./comparableHost.ts";
import type { GivenLink } from "./readLinkColumns.ts";
import type { OwnHosts } from "./targetUrl.ts";

/**
 * The hosts that this service itself answers on: its own, the one the request was sent to, and the links' custom
 * domains among the addresses in the request.
 */
export async function ownHostsOf(given: GivenLink, call: Pick<LinkCall, "app" | "host">): Promise<OwnHosts> {
  const { baseUrl, port } = call.app.config.server;
  const addresses = [given.targetUrl, given.iosUrl, given.androidUrl, given.desktopUrl, given.expiredUrl];
  const hosts = urlsIn(addresses).map(({ hostname }) => hostname.replace(/\.$/, ""));
  const domains = await domainsAmong(hosts, call.app.postgres);
  const own = urlsIn([baseUrl, ...[call.host, given.domain, ...domains].map((host) => `http://${host}`)]);
  // On its own computer the service can be reached under all names of that computer.
  const here = new Set(
    [String(port), ...own.map((url) => url.port)].map((one) => comparableHost({ hostname: thisComputer, port: one })),
  );
  return new Set([...own.map(comparableHost), ...here]);
}

function urlsIn(texts: readonly (string | undefined)[]): URL[] {
  return texts.flatMap((text) => (text && URL.canParse(text) ? [new URL(text)] : []));
}

async function domainsAmong(hosts: readonly string[], postgres: Pick<Pool, "query">): Promise<string[]> {
  if (hosts.length === 0) return [];
  const { rows } = await postgres.query<{ domain: string }>(
    "SELECT DISTINCT domain FROM links WHERE domain = ANY($1) AND deleted_at IS NULL",
    [hosts],
  );
  return rows.map(({ domain }) => domain);
}
