import { readClientAddress } from "../../call/clientAddress.ts";
import type { EveryColumn, RowOf } from "../../store/questdb/tables.ts";
import { randomKey } from "../../store/write/eventKeys.ts";
import { visitorHash } from "../../visitors/dailySalt.ts";
import { locate } from "../../visitors/location.ts";
import type { Agent } from "../../visitors/userAgent.ts";
import type { Link } from "../link.ts";
import type { LinkCall } from "../linkCall.ts";
import { sourceOf } from "./referrerSource.ts";
import type { Target } from "./targets.ts";

/**
 * Resolves when the click is in the log, so it survives the end of this process. If the log does not take it, it is
 * stored from memory where that is possible, else counted as dropped. The redirect happens in every case.
 */
export async function recordClick(link: Link, target: Target, agent: Agent, call: LinkCall): Promise<void> {
  const { rows, metrics, salt, config } = call.app;
  const timeMs = Date.now();
  // Read synchronously: a connection that is closed later has no address.
  const address = readClientAddress(call, config.ingest.trustedProxies);
  const daily = await salt.inTime(timeMs, config.postgres.lookUpTimeoutMs);
  const row = clickRow(link, target, agent, call, { timeMs, address, salt: daily });
  let isKept = true;
  try {
    await rows.write([row], timeMs);
  } catch {
    isKept = rows.tryUnlogged([row], timeMs);
  }
  if (isKept) metrics.eventsAccepted.inc({ table: "link_clicks" });
  else metrics.eventsDropped.inc({ reason: "store_unavailable" });
}

type Seen = { readonly timeMs: number; readonly address: string | undefined; readonly salt: Buffer | undefined };

function clickRow(
  link: Link,
  target: Target,
  agent: Agent,
  call: LinkCall,
  { timeMs, address, salt }: Seen,
): RowOf<"link_clicks"> {
  const eventKey = randomKey();
  const place = locate(address);
  return {
    table: "link_clicks",
    tsUs: timeMs * 1_000,
    values: {
      organization_id: link.organizationId,
      website_id: link.websiteId ?? undefined,
      link_id: link.id,
      event_key: eventKey,
      // Without the day's salt visitors cannot be recognised, so each click counts as a new visitor.
      visitor_key:
        salt === undefined || address === undefined
          ? eventKey
          : visitorHash(salt, visitorScope(link, target), address, call.header("user-agent") ?? ""),
      country: place.country,
      region: place.region,
      city: place.city,
      browser: agent.browser,
      os: agent.os,
      device: agent.device,
      language: languageOf(call.header("accept-language")),
      referrer_source: sourceOf(call.header("referer")),
      target_website_id: target.websiteId,
      target_path: target.path,
    } satisfies EveryColumn<"link_clicks">,
  };
}

/** The scope of the visitor key: the target's website, so that clicks and page views there have the same key. */
function visitorScope({ websiteId, organizationId }: Link, target: Target): string {
  return target.websiteId ?? websiteId ?? organizationId;
}

/** The language that a browser prefers, such as `de-DE` (RFC 9110, section 12.5.4). */
function languageOf(accepted: string | undefined): string | undefined {
  return accepted === undefined ? undefined : languageTag.exec(accepted)?.[0];
}

const languageTag = /^[A-Za-z]{2,3}(?:-[A-Za-z]{2,4}){0,2}(?=$|[,;\s])/;
