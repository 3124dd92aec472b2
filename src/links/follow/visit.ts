import type { CallContext } from "../../gateway/callContext.ts";
import type { DropReason } from "../../ingest/dropReasons.ts";
import { type Agent, readUserAgent } from "../../ingest/facts/userAgent.ts";

/** Somebody who follows a link, and whether that is a click. */
export type Visit = { readonly agent: Agent; readonly isClick: boolean };

/**
 * Reads who follows a link. Only asking (HEAD) and fetching ahead are no clicks yet. Programs and visitors who do not want to be
 * counted make none and are counted by their reason.
 */
export function readVisit(call: CallContext): Visit {
  const agent = readUserAgent(call.header("user-agent"));
  if (call.isHead || isAhead(call)) return { agent, isClick: false };
  const reason = whyIgnored(call, agent);
  if (reason !== undefined) call.app.metrics.eventsDropped.inc({ reason });
  return { agent, isClick: reason === undefined };
}

/** Prefetching and prerendering (Fetch standard, Sec-Purpose), and what older browsers sent for it. */
function isAhead(call: CallContext): boolean {
  const purpose =
    call.header("sec-purpose") ?? call.header("purpose") ?? call.header("x-purpose") ?? call.header("x-moz");
  return purpose !== undefined && /prefetch|prerender|preview/i.test(purpose);
}

/** Do Not Track (W3C Tracking Preference Expression) and Global Privacy Control (https://www.w3.org/TR/gpc/), as for events. */
function whyIgnored(call: CallContext, { isAutomated }: Agent): DropReason | undefined {
  if (isAutomated) return "bot";
  const refuses =
    call.app.config.ingest.honorDoNotTrack && (call.header("sec-gpc") === "1" || call.header("dnt") === "1");
  return refuses ? "do_not_track" : undefined;
}
