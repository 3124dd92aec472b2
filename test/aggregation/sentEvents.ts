import { createHash } from "node:crypto";
import type { TableRow } from "../../src/store/questdb/tables.ts";
import { randomNumbers } from "../kit/random/randomEventRows.ts";
import type { RawEvent } from "./duckdbOracle.ts";

/** An event as a client sends it, and what the oracle should know of it. */
export type SentEvent = {
  /** The oracle's input; what belongs to the request (country, reasons to ignore it) comes with that. */
  readonly facts: RawEvent;
  /** Custom events go to /track too, everything to /batch. */
  readonly path: "/batch" | "/track";
  readonly json: Readonly<Record<string, unknown>>;
};

/** How a request is sent. */
export type Sender = {
  readonly headers: Readonly<Record<string, string>>;
  readonly country: string | undefined;
  /** Whether its events are not counted, unless it has a key. */
  readonly ignored: boolean;
  readonly hasKey: boolean;
};

export type SentRequest = {
  readonly websiteId: string;
  readonly path: "/batch" | "/track";
  readonly sender: Sender;
  readonly events: readonly SentEvent[];
};

const browser = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36";
const bot = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";

const people: readonly Sender[] = [
  { headers: { "user-agent": browser, "x-forwarded-for": "8.8.8.8" }, country: "US", ignored: false, hasKey: false },
  {
    headers: { "user-agent": browser, "x-forwarded-for": "81.2.69.142" },
    country: "GB",
    ignored: false,
    hasKey: false,
  },
  { headers: { "user-agent": browser, dnt: "0" }, country: undefined, ignored: false, hasKey: false },
];

const others: readonly Sender[] = [
  { headers: { "user-agent": bot }, country: undefined, ignored: true, hasKey: false },
  { headers: { "user-agent": browser, dnt: "1" }, country: undefined, ignored: true, hasKey: false },
  { headers: { "user-agent": browser, "sec-gpc": "1" }, country: undefined, ignored: true, hasKey: false },
];

/** Its requests do not carry its visitors' agents, addresses and Do Not Track. */
const server: Sender = {
  headers: { "user-agent": bot, dnt: "1", "x-forwarded-for": "8.8.8.8" },
  country: undefined,
  ignored: false,
  hasKey: true,
};

const spammer = "semalt.com";

const referrers: ReadonlyMap<string, readonly string[]> = new Map([
  ["google.com", ["https://www.google.com/search?q=name", "https://GOOGLE.com"]],
  ["bing.com", ["http://bing.com:80/?q=1#x"]],
  ["news.example", ["https://user@news.example/a/b?c"]],
  ["", ["", "direct", "https://example.com/before", "https://www.example.com/"]],
  [spammer, [`https://${spammer}/x`]],
]);

/** The first 52 bits of a SHA-256. */
function keyOf(websiteId: string, id: string): number {
  return Number.parseInt(createHash("sha256").update(`${websiteId}\0${id}`).digest("hex").slice(0, 13), 16);
}

/**
 * The rows as clients send them. One in ten has no id, unless another of its session has the same time: which of the two came first would
 * then be undefined. A few have neither visitor nor session.
 */
export function asSent(seed: number, rows: readonly TableRow[]): SentEvent[] {
  const below = randomNumbers(seed);
  const drafts = rows.flatMap((row, index) => {
    if (row.table !== "events" && row.table !== "outgoing_links") return [];
    const { visitor_key: visitor, session_key: session = 0, session_id: id } = row.values;
    const isNameless = row.table === "events" && row.values.event_type !== "page_exit" && below(100) === 0;
    const anonymousId = isNameless || visitor === undefined ? undefined : `v${visitor}`;
    const sessionId = isNameless || (id === undefined && anonymousId !== undefined) ? undefined : `s${session}`;
    return { row, index, anonymousId, sessionId };
  });
  const momentOf = ({ row, anonymousId, sessionId }: (typeof drafts)[number]) =>
    `${row.values.website_id} ${sessionId ?? anonymousId} ${row.tsUs}`;
  const moments = new Map<string, number>();
  for (const draft of drafts) moments.set(momentOf(draft), (moments.get(momentOf(draft)) ?? 0) + 1);

  return drafts.map((draft) => {
    const { row, index, anonymousId, sessionId } = draft;
    const mayLackId = moments.get(momentOf(draft)) === 1 && (anonymousId ?? sessionId) !== undefined;
    const id = mayLackId && below(10) === 0 ? undefined : `e${index}`;
    return sentEvent(row, id, anonymousId, sessionId, index, below);
  });
}

function sentEvent(
  { values, tsUs, table }: TableRow,
  id: string | undefined,
  anonymousId: string | undefined,
  sessionId: string | undefined,
  index: number,
  below: (below: number) => number,
): SentEvent {
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const websiteId = values.website_id ?? "";
  const isLink = table === "outgoing_links";
  const type = isLink ? "link" : table === "events" ? (values.event_type ?? "custom") : "custom";
  const path = "path" in values ? values.path : undefined;
  const timeOnPageMs = table === "events" ? values.time_on_page_ms : undefined;
  const toTrack = type === "custom" && below(2) === 0;
  // These two forms can carry a campaign only in the page's URL.
  const canHaveCampaign = table === "events" && (!toTrack || path !== undefined);
  const utmSource = canHaveCampaign ? values.utm_source : undefined;
  const utmCampaign = canHaveCampaign ? values.utm_campaign : undefined;
  const source =
    type !== "page_view"
      ? undefined
      : below(50) === 0
        ? spammer
        : pick(["google.com", "bing.com", "news.example", "", ""]);
  const referrer = source === undefined ? undefined : pick(referrers.get(source) ?? []);
  const key = id === undefined ? -1 - index : keyOf(websiteId, id);
  const unnamed = type === "page_view" ? key : undefined;
  const keyFor = (name: string | undefined) => (name === undefined ? unnamed : keyOf(websiteId, name));

  const inQuery = path !== undefined && (toTrack || below(3) === 0);
  const query = new URLSearchParams({ q: "secret" });
  if (inQuery && utmSource !== undefined) query.set("utm_source", utmSource);
  if (inQuery && utmCampaign !== undefined) query.set("utm_campaign", utmCampaign);
  const hasQuery = inQuery || below(2) === 0;
  const address =
    path === undefined ? undefined : `${pick(["", "https://example.com"])}${path}${hasQuery ? `?${query}#x` : ""}`;
  const name = isLink
    ? undefined
    : type === "custom"
      ? "signup"
      : type === "page_view"
        ? pick(["page_view", "screen_view", "pageview"])
        : type;
  const common = { eventId: id, anonymousId, sessionId, timestamp: tsUs / 1_000, name, path: address };
  // A link has no page in this form, and an id in the other one.
  const link = { ...common, path: undefined, href: "https://out.example/" };
  const isWhole =
    below(2) === 0 &&
    sessionId !== undefined &&
    anonymousId !== undefined &&
    (isLink ? id !== undefined : path !== undefined);
  const campaign = inQuery ? {} : { utm_source: utmSource, utm_campaign: utmCampaign };
  const json = toTrack
    ? common
    : isLink
      ? isWhole
        ? { type: "outgoing_link", payload: link }
        : { ...link, type: "outgoing_link" }
      : isWhole
        ? {
            type: "track",
            payload: { ...wholeFields, ...common, ...campaign, referrer: referrer ?? "", time_on_page: timeOnPageMs },
          }
        : {
            ...common,
            ...campaign,
            referrer,
            time_on_page: timeOnPageMs === undefined ? undefined : timeOnPageMs / 1_000,
          };
  return {
    path: toTrack ? "/track" : "/batch",
    json,
    facts: {
      link: isLink,
      us: tsUs,
      id,
      website_id: websiteId,
      event_key: key,
      event_type: type,
      visitor_key: keyFor(anonymousId ?? sessionId),
      session_key: keyFor(sessionId ?? anonymousId),
      session_id: sessionId,
      anonymous_id: anonymousId,
      path: isLink ? undefined : path,
      time_on_page_ms: timeOnPageMs,
      referrer_source: source,
      utm_source: utmSource,
      utm_campaign: utmCampaign,
      spam: source === spammer,
    },
  };
}

/** Further fields that the specification's form requires. */
const wholeFields = {
  sessionStartTime: 0,
  title: "Page",
  screen_resolution: "1920x1080",
  viewport_size: "1420x880",
  timezone: "Europe/Berlin",
  language: "de-DE",
};

/** The events in requests of up to 100, each from another sender; some repeat the ids of events with other times. */
export function asRequests(seed: number, events: readonly SentEvent[]): SentRequest[] {
  const below = randomNumbers(seed);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  // Without ids only a server's events have no visitor: those of browsers get one by their address and agent.
  const isNameless = ({ facts }: SentEvent) => facts.anonymous_id === undefined && facts.session_id === undefined;
  const groups = Map.groupBy(events, (event) => `${event.path} ${event.facts.website_id} ${isNameless(event)}`);
  return [...groups.values()].flatMap((group) => {
    const requests: SentRequest[] = [];
    for (let at = 0; at < group.length; ) {
      const size = below(20) === 0 ? 1 + below(3) : 90;
      const some = group.slice(at, at + size);
      const [first] = some;
      at += size;
      if (first === undefined) continue;
      const again = some
        .filter(({ facts }) => facts.id !== undefined && below(40) === 0)
        .slice(0, 10)
        .map(atOtherTime);
      const sender = isNameless(first) ? server : below(8) === 0 ? pick([...others, server]) : pick(people);
      requests.push({ websiteId: first.facts.website_id, path: first.path, sender, events: [...some, ...again] });
    }
    return requests;
  });
}

/** The same id, another time. */
export function atOtherTime({ facts, path, json }: SentEvent): SentEvent {
  const us = facts.us + 7_777_777_000;
  const timestamp = us / 1_000;
  const { payload } = json;
  const moved = typeof payload === "object" ? { ...json, payload: { ...payload, timestamp } } : { ...json, timestamp };
  return { facts: { ...facts, us }, path, json: moved };
}

/** The oracle's input for a request that was answered with success. */
export function factsOf({ sender, events }: SentRequest): RawEvent[] {
  return events.map(({ facts }) => ({
    ...facts,
    country: facts.link ? undefined : sender.country,
    ignored: sender.ignored || (facts.spam === true && !sender.hasKey),
  }));
}
