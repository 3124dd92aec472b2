import { isListed, readReferrerList } from "./referrerLists.ts";

/** Traffic groups. */
export type ReferrerGroup = "direct" | "search" | "social" | "email" | "ai" | "paid" | "referral" | "other";

/** What is known about how a visitor reached a page. Hosts in lower case, without `www.` */
export type Arrival = {
  /** The host of the previous page; empty when it is unknown or the website itself. */
  readonly host: string;
  /** Whether the previous page is on the same website. */
  readonly isInternal: boolean;
  readonly utmSource: string | undefined;
  readonly utmMedium: string | undefined;
  readonly hasAdClickId: boolean;
};

/**
 * The group of a referrer; undefined for a step within the website, which is no arrival. The link's own parameters take
 * precedence over the previous page: an ad first, then its medium, then its source. `other` are campaigns that fit no
 * group.
 */
export function groupReferrer({
  host,
  isInternal,
  utmSource,
  utmMedium,
  hasAdClickId,
}: Arrival): ReferrerGroup | undefined {
  if (hasAdClickId) return "paid";
  const said = groupOfMedium(utmMedium) ?? groupOfSource(utmSource);
  if (said !== undefined) return said;
  if (host !== "") return groupOfHost(host) ?? "referral";
  if (utmSource !== undefined || utmMedium !== undefined) return "other";
  return isInternal ? undefined : "direct";
}

/** Whether a query string contains the id of a click on an ad. Not fbclid: unpaid links have it too. */
export function hasAdClickId(query: string): boolean {
  return query !== "" && adClickIds.test(query);
}

const adClickIds =
  /(?:^|&)(?:gclid|gbraid|wbraid|dclid|msclkid|ttclid|twclid|li_fat_id|yclid|rdt_cid|sccid|epik)=[^&]/i;

function groupOfMedium(medium: string | undefined): ReferrerGroup | undefined {
  if (medium === undefined) return undefined;
  const words = medium.toLowerCase().split(/[^a-z]+/);
  return mediumWords.find(([, known]) => words.some((word) => known.has(word)))?.[0];
}

function groupOfSource(source: string | undefined): ReferrerGroup | undefined {
  if (source === undefined) return undefined;
  const name = source.toLowerCase().replace(/^www\./, "");
  return sourceNames.get(name) ?? groupOfHost(name);
}

/**
 * The group of a host or of a parent domain. Of the list of search engines only the host itself counts, with or without `m.`, since most
 * have other services on hosts of their own.
 */
function groupOfHost(host: string): ReferrerGroup | undefined {
  for (let name = host; name.includes("."); name = name.slice(name.indexOf(".") + 1)) {
    const group = hostGroups.get(name) ?? listedGroup(name, name === host || `m.${name}` === host);
    if (group !== undefined) return group;
  }
  return webmail.test(host) ? "email" : undefined;
}

/** The names that providers give their web mail: there is no public list of these. */
const webmail = /^(?:web|e)?mail\d*\./;

function listedGroup(name: string, isHost: boolean): ReferrerGroup | undefined {
  if (isListed(name, lists.ai)) return "ai";
  if (isListed(name, lists.social)) return "social";
  return isHost && isListed(name, lists.search) ? "search" : undefined;
}

const lists = {
  ai: readReferrerList("ai"),
  social: new Set([...readReferrerList("social"), "pinterest.{}"]),
  search: readReferrerList("search"),
};

/** In order of precedence: `paid-social` is paid. */
const mediumWords: readonly (readonly [ReferrerGroup, ReadonlySet<string>])[] = [
  [
    "paid",
    words(
      "paid cpc cpm cpv cpa cpp ppc retargeting remarketing display banner ad ads paidsearch paidsocial sponsored affiliate affiliates",
    ),
  ],
  ["email", words("email mail newsletter")],
  ["social", words("social socialmedia sm")],
  ["ai", words("ai llm chatbot")],
  ["search", words("organic search seo")],
  ["referral", words("referral link")],
];

/** Names used in utm_source instead of a host. */
const sourceNames: ReadonlyMap<string, ReferrerGroup> = new Map([
  ...grouped("search", "google bing yahoo duckduckgo ecosia yandex baidu brave qwant naver"),
  ...grouped(
    "social",
    "facebook fb instagram ig twitter x linkedin tiktok youtube yt reddit pinterest threads bluesky mastodon telegram whatsapp discord snapchat hackernews hn",
  ),
  ...grouped("email", "email e-mail mail newsletter mailchimp klaviyo sendgrid brevo mailerlite convertkit substack"),
  ...grouped("ai", "chatgpt openai perplexity claude gemini copilot"),
]);

/**
 * What the public lists lack or group otherwise. A host includes its subdomains, unless they are listed themselves. App referrers
 * (android-app://) are listed by their package.
 */
const hostGroups: ReadonlyMap<string, ReferrerGroup> = new Map([
  ...grouped(
    "search",
    "bing.com duckduckgo.com search.yahoo.com search.yahoo.co.jp ya.ru baidu.com ecosia.org qwant.com startpage.com search.brave.com " +
      "search.naver.com seznam.cz kagi.com search.aol.com ask.com sogou.com so.com coccoc.com mojeek.com swisscows.com petalsearch.com " +
      "metager.org metager.de search.daum.net presearch.com lite.qwant.com com.google.android.googlequicksearchbox",
  ),
  ...grouped(
    "social",
    "facebook.com fb.com fb.me messenger.com instagram.com twitter.com x.com t.co linkedin.com lnkd.in reddit.com redd.it pin.it " +
      "tiktok.com youtube.com youtu.be threads.net threads.com bsky.app mastodon.social " +
      "mastodon.online tumblr.com quora.com snapchat.com discord.com telegram.org t.me whatsapp.com wa.me vk.com ok.ru weibo.com weixin.qq.com " +
      "xing.com line.me kakao.com news.ycombinator.com lobste.rs twitch.tv vimeo.com com.facebook.katana com.instagram.android " +
      "com.twitter.android com.linkedin.android com.reddit.frontpage com.pinterest com.slack slack.com org.telegram.messenger com.whatsapp",
  ),
  ...grouped(
    "email",
    "mail.google.com inbox.google.com outlook.live.com outlook.office.com outlook.office365.com outlook.com mail.yahoo.com mail.aol.com " +
      "mail.proton.me mail.protonmail.com app.fastmail.com mail.zoho.com mail.ru e.mail.ru mail.yandex.ru webmail.gmx.net navigator.web.de " +
      "deref-gmx.net deref-web.de deref-mail.com list-manage.com com.google.android.gm com.microsoft.office.outlook",
  ),
  ...grouped(
    "ai",
    "chatgpt.com chat.openai.com perplexity.ai claude.ai gemini.google.com copilot.microsoft.com chat.deepseek.com grok.com " +
      "chat.mistral.ai meta.ai poe.com you.com phind.com kimi.com com.openai.chatgpt",
  ),
]);

function grouped(group: ReferrerGroup, names: string): [string, ReferrerGroup][] {
  return names.split(" ").map((name) => [name, group]);
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}
