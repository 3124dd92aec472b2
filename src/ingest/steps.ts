import type { Website } from "../access/websiteDirectory.ts";
import { keyOf, randomKey } from "../store/write/eventKeys.ts";
import type { PathRules } from "../text/pagePath.ts";
import { plainHost, readCampaign, readHost, readPageAddress, readReferrer } from "../visitors/pageAddress.ts";
import type { PrivacyRules } from "../visitors/privacyRules.ts";
import { comesFromBot, type Drop, isBlocked, isRepeated } from "./dropReasons.ts";
import type { EventType, IngestEvent } from "./event.ts";
import { readEventTime } from "./facts/eventTime.ts";
import { groupReferrer, hasAdClickId } from "./facts/referrerGroup.ts";
import { isReferrerSpam } from "./facts/referrerSpam.ts";
import type { RequestFacts } from "./facts/requestFacts.ts";
import { describeVisitor, statedNames } from "./facts/statedVisitor.ts";
import { shortenedText } from "./facts/storedText.ts";
import type { RuleKind } from "./rules/storedRules.ts";
import { ruleOfPage, rulesOfText, type WebsiteRules } from "./rules/websiteRules.ts";

/** What the events of one request for one website have in common. */
export type IngestContext = RequestFacts & {
  readonly websiteId: string;
  /** Whether the website is the target of short links. */
  readonly isLinkTarget: boolean;
  readonly paths: PathRules;
  readonly privacy: PrivacyRules;
  /** The website's host in the form for comparison with referrers. */
  readonly ownHost: string;
  /**
   * The request's events so far, by id. The type is part of the identity: a link and a page view with the same id are
   * different events.
   */
  readonly seen: Readonly<Record<EventType, Map<string, IngestEvent>>>;
  /** The id of the request's own visitor, once it was needed. */
  ownDailyId: { readonly id: string | undefined } | undefined;
  /** What excludes events of this website; undefined without rules. */
  readonly rules: WebsiteRules | undefined;
  /** The rule that excludes the request's own visitor, once it was needed. */
  ownRule: { readonly kind: RuleKind | undefined } | undefined;
  /** Keys of visitors and sessions: a batch has few, and each costs a hash. */
  readonly keys: Map<string, number>;
};

export function createIngestContext(website: Website, facts: RequestFacts): IngestContext {
  return {
    ...facts,
    websiteId: website.id,
    isLinkTarget: website.isLinkTarget,
    paths: website.paths,
    privacy: website.privacy,
    ownHost: plainHost(website.domain),
    seen: { track: new Map(), outgoing_link: new Map() },
    ownDailyId: undefined,
    rules: rulesOfText(website.rulesText),
    ownRule: undefined,
    keys: new Map(),
  };
}

/** Refines the event in place, or returns why it is not stored. */
type Step = (event: IngestEvent, context: IngestContext) => Drop | undefined;

/** The steps of every event, in this order. */
const steps: readonly Step[] = [
  requireContent,
  limitProperties,
  dropIgnored,
  setVisitor,
  setTime,
  cutPage,
  cutReferrer,
  dropReferrerSpam,
  dropByRule,
  dropRepeated,
  setReferrerGroup,
  setAgent,
  setLocation,
  setDailyVisitor,
  setKeys,
  setClickVisitor,
];

/** Takes an event through all steps; undefined when it is ready to be stored. */
export function takeEvent(event: IngestEvent, context: IngestContext): Drop | undefined {
  for (const step of steps) {
    const drop = step(event, context);
    if (drop !== undefined) return drop;
  }
  return undefined;
}

/** Rules for the flat form that the contract cannot express, because they depend on the type and the name. */
function requireContent(event: IngestEvent): Drop | undefined {
  if (event.type === "outgoing_link") return event.href === undefined ? missing("href") : undefined;
  if (event.name === undefined) return missing("name");
  return event.kind === "page_view" && event.path === undefined ? missing("path") : undefined;
}

function limitProperties(event: IngestEvent): Drop | undefined {
  if (event.properties === undefined) return undefined;
  const text = JSON.stringify(event.properties);
  const bytes = Buffer.byteLength(text);
  if (bytes > maxPropertiesBytes)
    return {
      reason: "properties_too_large",
      field: "properties",
      message: `must be at most ${maxPropertiesBytes} bytes as JSON and has ${bytes}`,
    };
  if (text !== "{}") event.propertiesText = text;
  return undefined;
}

function dropIgnored(_: IngestEvent, { ignored }: IngestContext): Drop | undefined {
  return ignored;
}

/** Of browsers the request says what is to know of the visitor, so what they state is ignored. */
function setVisitor(event: IngestEvent, { isServer, keyProblem }: IngestContext): Drop | undefined {
  const { stated } = event;
  if (stated === undefined) return undefined;
  if (keyProblem !== undefined)
    return { reason: "invalid", field: statedNames.find((name) => stated[name]) ?? "", message: keyProblem };
  if (!isServer) return undefined;
  const visitor = describeVisitor(stated);
  if ("reason" in visitor) return visitor;
  if (visitor.agent?.isBot) return comesFromBot(visitor.agent.bot);
  event.visitor = visitor;
  return undefined;
}

function dropRepeated(event: IngestEvent, context: IngestContext): Drop | undefined {
  if (event.eventId === undefined) return undefined;
  if (firstOfId(event, context) !== undefined) return isRepeated;
  context.seen[event.type].set(event.eventId, event);
  return undefined;
}

/** The first event of the same request with this event's id. */
export function firstOfId({ type, eventId }: IngestEvent, { seen }: IngestContext): IngestEvent | undefined {
  return eventId === undefined ? undefined : seen[type].get(eventId);
}

function setTime(event: IngestEvent, context: IngestContext): Drop | undefined {
  const time = readEventTime(event.atMs, context);
  if (typeof time !== "number") return time;
  event.atMs = time;
  return undefined;
}

/**
 * Query strings may identify a person, so only their campaign is kept, and the parameters that the website's rules name; the sender's own
 * campaign fields take precedence.
 */
function cutPage(event: IngestEvent, { paths, rules }: IngestContext): undefined {
  if (event.path === undefined) return;
  if (rules !== undefined) event.host = readHost(event.path);
  const { path, query } = readPageAddress(event.path, paths);
  event.path = shortenedText(path, maxAddressLength, "path", event.shortened);
  event.hasAdClickId = hasAdClickId(query);
  const campaign = readCampaign(query);
  if (campaign === undefined) return;
  event.utmSource ??= shortenedText(campaign.utmSource, maxCampaignLength, "utm_source", event.shortened);
  event.utmMedium ??= shortenedText(campaign.utmMedium, maxCampaignLength, "utm_medium", event.shortened);
  event.utmCampaign ??= shortenedText(campaign.utmCampaign, maxCampaignLength, "utm_campaign", event.shortened);
  event.utmTerm ??= shortenedText(campaign.utmTerm, maxCampaignLength, "utm_term", event.shortened);
  event.utmContent ??= shortenedText(campaign.utmContent, maxCampaignLength, "utm_content", event.shortened);
}

function cutReferrer(event: IngestEvent, { ownHost }: IngestContext): undefined {
  if (event.kind !== "page_view" && event.referrer === undefined) return;
  const { address, source } = readReferrer(event.referrer ?? "", ownHost);
  event.referrer = shortenedText(address, maxAddressLength, "referrer", event.shortened);
  event.referrerSource = source.slice(0, maxHostLength);
}

/** Spammers fake visits, so only events of visitors are checked, not those of a server itself. */
function dropReferrerSpam({ referrerSource, visitor }: IngestEvent, { isServer }: IngestContext): Drop | undefined {
  if ((isServer && visitor === undefined) || !referrerSource || !isReferrerSpam(referrerSource)) return undefined;
  return { reason: "referrer_spam", field: "referrer", message: "is a known spammer" };
}

/** What the owner of the website does not want to count. Who sends a request is compared once for all of its events. */
function dropByRule(event: IngestEvent, context: IngestContext): Drop | undefined {
  const { rules, isServer } = context;
  if (rules === undefined) return undefined;
  const ofSender = event.visitor === undefined ? ownRule(rules, context) : context.ruleOfSenderIn(rules, event.visitor);
  const { host = context.pageHost(), path, referrerSource: referrer } = event;
  const rule = ofSender ?? ruleOfPage(rules, { host, path, referrer, isTrusted: isServer });
  return rule === undefined ? undefined : isBlocked(rule);
}

function ownRule(rules: WebsiteRules, context: IngestContext): RuleKind | undefined {
  context.ownRule ??= { kind: context.ruleOfSenderIn(rules, undefined) };
  return context.ownRule.kind;
}

/**
 * An event with a source is an arrival: a page view, or any event with a referrer. The tracker states `internal` for a step
 * within the website, since its host may be another one than the website's domain.
 */
function setReferrerGroup(event: IngestEvent): undefined {
  const { referrer, referrerSource, utmSource, utmMedium, hasAdClickId } = event;
  if (referrerSource === undefined) return;
  const isInternal = referrerSource === "" && referrer !== undefined;
  event.referrerGroup = groupReferrer({ host: referrerSource, isInternal, utmSource, utmMedium, hasAdClickId });
  if (referrer === "internal") event.referrer = undefined;
}

function setAgent(event: IngestEvent, context: IngestContext): undefined {
  const agent = event.visitor?.agent ?? context.agent;
  event.browser = agent.browser;
  event.browserVersion = agent.browserVersion;
  event.os = agent.os;
  event.osVersion = agent.osVersion;
  event.device = agent.device;
}

/** The country, region and city of a visitor. What is finer than the website's privacy setting is not stored, whether it was looked up or sent. */
function setLocation(event: IngestEvent, context: IngestContext): undefined {
  const { location } = event.visitor ?? context;
  const { place } = context.privacy;
  event.country = location.country;
  event.region = place === "country" ? undefined : location.region;
  event.city = place === "city" ? location.city : undefined;
}

/** The visitor of an event without ids is recognised by address, user agent and the day's salt. */
function setDailyVisitor(event: IngestEvent, context: IngestContext): undefined {
  if (event.anonymousId !== undefined || event.sessionId !== undefined) {
    if (context.privacy.ids === "day") endIdsWithDay(event, context);
    return;
  }
  const { visitor } = event;
  if (visitor === undefined) context.ownDailyId ??= { id: context.dailyVisitorIdIn(context.websiteId, undefined) };
  event.anonymousId =
    visitor === undefined ? context.ownDailyId?.id : context.dailyVisitorIdIn(context.websiteId, visitor);
}

/** What stands for ids that were sent: the same within the day of the event, and nothing while the day's salt is unknown. */
function endIdsWithDay(event: IngestEvent, { endingIdIn, websiteId, arrivedAtMs }: IngestContext): void {
  const { anonymousId, sessionId, atMs = arrivedAtMs } = event;
  event.anonymousId = anonymousId && endingIdIn(websiteId, atMs, anonymousId);
  event.sessionId = sessionId && endingIdIn(websiteId, atMs, sessionId);
}

/**
 * A visitor is identified by the anonymous id, else by the session; a session by its id, else by its visitor. A page
 * view without any id counts as a new visitor, since it was seen. Any other event without ids, such as
 * one from a server, has no visitor and no session.
 */
function setKeys(event: IngestEvent, context: IngestContext): undefined {
  const { eventId, anonymousId, sessionId } = event;
  event.eventKey = eventId === undefined ? randomKey() : keyOf(context.websiteId, eventId);
  const unnamed = event.kind === "page_view" ? event.eventKey : undefined;
  event.visitorKey = knownKey(anonymousId ?? sessionId, context) ?? unnamed;
  event.sessionKey = knownKey(sessionId ?? anonymousId, context) ?? unnamed;
}

/** Conversions of link clicks can only be seen on arrivals, so other events do not get the hash. */
function setClickVisitor(event: IngestEvent, context: IngestContext): undefined {
  const mayJoin = context.isLinkTarget && !context.privacy.audienceOnly;
  if (mayJoin && event.kind === "page_view" && event.referrerGroup !== undefined)
    event.clickVisitorKey = context.clickVisitorKeyIn(context.websiteId, event.visitor);
}

function knownKey(id: string | undefined, { keys, websiteId }: IngestContext): number | undefined {
  if (id === undefined) return undefined;
  const before = keys.get(id);
  if (before !== undefined) return before;
  const key = keyOf(websiteId, id);
  keys.set(id, key);
  return key;
}

function missing(field: string): Drop {
  return { reason: "invalid", field, message: "is required" };
}

const maxPropertiesBytes = 32_768;
const maxAddressLength = 2_048;
const maxCampaignLength = 512;

/** RFC 1035, section 2.3.4 */
const maxHostLength = 255;
