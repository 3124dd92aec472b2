import type { CallContext } from "../gateway/callContext.ts";
import { readClientAddress } from "../ingest/clientAddress.ts";
import { visitorHash } from "../ingest/dailySalt.ts";
import { randomKey } from "../ingest/eventKeys.ts";
import { locate } from "../ingest/location.ts";
import { readReferrer } from "../ingest/pageAddress.ts";
import type { Agent } from "../ingest/userAgent.ts";
import type { Click } from "./click.ts";
import type { Link } from "./link.ts";
import type { Target } from "./targets.ts";

/**
 * Keeps a click. Resolves when it survives the end of this process, with false for one that cannot be kept, which is counted as lost and
 * logged: its visitor would be no better off for not being led on.
 */
export function recordClick(link: Link, target: Target, agent: Agent, call: CallContext): Promise<boolean> {
  const { salt, clicks } = call.app;
  const nowMs = Date.now();
  const known = salt.known(nowMs);
  if (known !== undefined) return clicks.append(readClick(link, target, agent, known, nowMs, call));
  return salt
    .at(nowMs)
    .catch(() => undefined)
    .then((daily) => clicks.append(readClick(link, target, agent, daily, nowMs, call)));
}

function readClick(
  link: Link,
  target: Target,
  agent: Agent,
  salt: Buffer | undefined,
  timeMs: number,
  call: CallContext,
): Click {
  const address = readClientAddress(call, call.app.config.ingest.trustedProxies);
  const eventKey = randomKey();
  // Without the day's salt nobody can be known again, so the click counts as a visitor of its own.
  const visitorKey =
    salt === undefined || address === undefined
      ? eventKey
      : visitorHash(salt, visitorScope(link, target), address, call.header("user-agent") ?? "");
  return {
    timeMs,
    eventKey,
    visitorKey,
    link,
    target,
    agent,
    place: locate(address),
    language: readLanguage(call.header("accept-language")),
    source: readSource(call.header("referer")),
  };
}

/** Within what a visitor is known again: the website that is led to, so that its page views can be told to be the same visitor's. */
function visitorScope({ websiteId, organizationId }: Link, target: Target): string {
  return target.websiteId ?? websiteId ?? organizationId;
}

/** The host that a visitor came from, never its page. */
function readSource(referrer: string | undefined): string | undefined {
  if (referrer === undefined) return undefined;
  const before = sources.get(referrer);
  if (before !== undefined) return before || undefined;
  const source = readReferrer(referrer, "").source.slice(0, maxHostLength);
  if (referrer.length <= maxKeptReferrer) {
    if (sources.size >= maxKeptReferrers) sources.clear();
    sources.set(referrer, source);
  }
  return source || undefined;
}

/** Browsers send other websites only the origin (W3C Referrer Policy), so that few referrers are most. */
const sources = new Map<string, string>();

/** With those bounds at most 128 kB. */
const maxKeptReferrers = 1_000;
const maxKeptReferrer = 64;

/** RFC 1035, section 2.3.4 */
const maxHostLength = 255;

/** The language that a browser prefers, such as `de-DE` (RFC 9110, section 12.5.4). */
function readLanguage(accepted: string | undefined): string | undefined {
  return accepted === undefined ? undefined : languageTag.exec(accepted)?.[0];
}

const languageTag = /^[A-Za-z]{2,3}(?:-[A-Za-z]{2,4}){0,2}(?=$|[,;\s])/;
