import type { Pool } from "pg";
import type { CallContext } from "../gateway/callContext.ts";
import type { GivenLink } from "./readLinkColumns.ts";
import { type OwnHosts, plainHostOf } from "./targetUrl.ts";

/**
 * The hosts of the addresses in a request at which this service answers: its own, the one that the request came to, and domains that links
 * have.
 */
export async function ownHostsOf(given: GivenLink, call: Pick<CallContext, "app" | "header">): Promise<OwnHosts> {
  const addresses = [given.targetUrl, given.iosUrl, given.androidUrl, given.desktopUrl, given.expiredUrl];
  const hosts = addresses.flatMap((address) => (address && URL.canParse(address) ? plainHostOf(new URL(address)) : []));
  const domains = await domainsAmong(hosts, call.app.postgres);
  const own = [new URL(call.app.config.server.baseUrl).host, call.header("host") ?? "", given.domain ?? ""];
  return new Set([...own.map((host) => host.toLowerCase()), ...domains]);
}

async function domainsAmong(hosts: readonly string[], postgres: Pick<Pool, "query">): Promise<string[]> {
  if (hosts.length === 0) return [];
  const { rows } = await postgres.query<{ domain: string }>(
    "SELECT DISTINCT domain FROM links WHERE domain = ANY($1) AND deleted_at IS NULL",
    [hosts],
  );
  return rows.map(({ domain }) => domain);
}
