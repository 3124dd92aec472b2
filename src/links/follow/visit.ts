import { readClientAddress } from "../../call/clientAddress.ts";
import { type DropReason, isBlocked } from "../../ingest/dropReasons.ts";
import type { RuleKind } from "../../ingest/rules/storedRules.ts";
import { ruleOfPage, ruleOfSender, type WebsiteRules } from "../../ingest/rules/websiteRules.ts";
import { locate } from "../../visitors/location.ts";
import { type Agent, readUserAgent } from "../../visitors/userAgent.ts";
import type { LinkCall } from "../linkCall.ts";
import type { LiveLink } from "./linkReader.ts";
import { sourceOf } from "./referrerSource.ts";

/** A request for a link, and whether it counts as a click. */
export type Visit = { readonly agent: Agent; readonly isClick: boolean };

/**
 * Reads a visit. HEAD requests and prefetches are not clicks. Bots, visitors who do not want to be counted, and those whom a rule of the link's
 * website excludes are not clicks either; they are counted by their drop reason.
 */
export function readVisit({ rules, websiteId }: Pick<LiveLink, "rules" | "websiteId">, call: LinkCall): Visit {
  const agent = readUserAgent(call.header("user-agent"));
  if (call.isHead || isPrefetch(call)) return { agent, isClick: false };
  const ignored = whyIgnored(call, agent);
  const rule = ignored !== undefined || rules === undefined ? undefined : ruleOfVisit(rules, call);
  if (rule !== undefined) call.app.excluded.count({ websiteId: websiteId ?? undefined, drop: isBlocked(rule) });
  const reason = rule === undefined ? ignored : "blocked_by_rule";
  if (reason !== undefined) call.app.metrics.eventsDropped.inc({ reason });
  return { agent, isClick: reason === undefined };
}

/** The kind of the first rule that excludes who follows a link. Rules about pages of the website say nothing about links. */
function ruleOfVisit(rules: WebsiteRules, call: LinkCall): RuleKind | undefined {
  const address = readClientAddress(call, call.app.config.ingest.trustedProxies);
  const { country } = locate(address);
  const referrer = sourceOf(call.header("referer"));
  return (
    ruleOfSender(rules, { address, country, userAgent: call.header("user-agent") }) ??
    ruleOfPage(rules, { host: undefined, path: undefined, referrer, isTrusted: true })
  );
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
