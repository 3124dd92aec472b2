import type { DropReason } from "../../ingest/dropReasons.ts";
import { type Agent, readUserAgent } from "../../visitors/userAgent.ts";
import type { LinkCall } from "../linkCall.ts";

/** A request for a link, and whether it counts as a click. */
export type Visit = { readonly agent: Agent; readonly isClick: boolean };

/**
 * Reads a visit. HEAD requests and prefetches are not clicks. Bots and visitors who do not want to be counted are not
 * clicks either; they are counted by their drop reason.
 */
export function readVisit(call: LinkCall): Visit {
  const agent = readUserAgent(call.header("user-agent"));
  if (call.isHead || isPrefetch(call)) return { agent, isClick: false };
  const reason = whyIgnored(call, agent);
  if (reason !== undefined) call.app.metrics.eventsDropped.inc({ reason });
  return { agent, isClick: reason === undefined };
}

/** Prefetching and prerendering (Fetch standard, Sec-Purpose), and the headers of older browsers. */
function isPrefetch(call: LinkCall): boolean {
  const purpose =
    call.header("sec-purpose") ?? call.header("purpose") ?? call.header("x-purpose") ?? call.header("x-moz");
  return purpose !== undefined && /prefetch|prerender|preview/i.test(purpose);
}

/** Do Not Track (W3C Tracking Preference Expression) and Global Privacy Control (https://www.w3.org/TR/gpc/), as for events. */
function whyIgnored(call: LinkCall, { isAutomated }: Agent): DropReason | undefined {
  if (isAutomated) return "bot";
  const refuses =
    call.app.config.ingest.honorDoNotTrack && (call.header("sec-gpc") === "1" || call.header("dnt") === "1");
  return refuses ? "do_not_track" : undefined;
}
