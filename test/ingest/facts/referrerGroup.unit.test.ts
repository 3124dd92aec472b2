import { describe, expect, it } from "vitest";
import { type Arrival, groupReferrer, hasAdClickId } from "../../../src/ingest/facts/referrerGroup.ts";
import { isReferrerSpam } from "../../../src/ingest/facts/referrerSpam.ts";

function groupOf(arrival: Partial<Arrival>) {
  return groupReferrer({
    host: "",
    isInternal: false,
    utmSource: undefined,
    utmMedium: undefined,
    hasAdClickId: false,
    ...arrival,
  });
}

describe("part 2, referrer: grouped by the referring page", () => {
  it.each([
    ["", "direct"],
    ["google.com", "search"],
    ["google.co.uk", "search"],
    ["google.com.br", "search"],
    ["de.search.yahoo.com", "search"],
    ["cn.bing.com", "search"],
    ["com.google.android.googlequicksearchbox", "search"],
    ["mail.google.com", "email"],
    ["gemini.google.com", "ai"],
    ["images.google.de", "search"],
    ["m.yandex.de", "search"],
    ["yep.com", "search"],
    ["news.yep.com", "referral"],
    ["pinterest.ca", "social"],
    ["pinterest.com.mx", "social"],
    ["t.cn", "social"],
    ["m.douyin.com", "social"],
    ["mixi.jp", "social"],
    ["discord.gg", "social"],
    ["duck.ai", "ai"],
    ["chat.qwen.ai", "ai"],
    ["deref-gmx.net", "email"],
    ["deref-web.de", "email"],
    ["webmail.provider.example", "email"],
    ["mailing.example", "referral"],
    ["docs.google.com", "referral"],
    ["google.evil.example", "referral"],
    ["notgoogle.com", "referral"],
    ["l.facebook.com", "social"],
    ["t.co", "social"],
    ["old.reddit.com", "social"],
    ["out.t.co.example", "referral"],
    ["chatgpt.com", "ai"],
    ["news.example", "referral"],
    ["localhost", "referral"],
  ])("%s is %s", (host, group) => {
    expect(groupOf({ host })).toBe(group);
  });

  it("is empty for a navigation within the website, unless the link has UTM fields", () => {
    expect(groupOf({ isInternal: true })).toBeUndefined();
    expect(groupOf({ isInternal: true, utmMedium: "email" })).toBe("email");
  });
});

describe("part 2, utm_*: the link's UTM fields take precedence over the referring page", () => {
  it.each([
    [{ utmMedium: "cpc", utmSource: "google", host: "google.com" }, "paid"],
    [{ utmMedium: "paid-social", utmSource: "facebook" }, "paid"],
    [{ utmMedium: "Display", host: "news.example" }, "paid"],
    [{ hasAdClickId: true, host: "google.com" }, "paid"],
    [{ utmMedium: "E-Mail", host: "google.com" }, "email"],
    [{ utmSource: "newsletter" }, "email"],
    [{ utmMedium: "social", utmSource: "spring" }, "social"],
    [{ utmSource: "Facebook" }, "social"],
    [{ utmSource: "www.google.com" }, "search"],
    [{ utmMedium: "organic", utmSource: "unheard" }, "search"],
    [{ utmSource: "chatgpt.com", host: "news.example" }, "ai"],
    [{ utmMedium: "referral", utmSource: "partner" }, "referral"],
    [{ utmSource: "poster", host: "google.com" }, "search"],
    [{ utmSource: "poster", host: "news.example" }, "referral"],
    [{ utmSource: "poster" }, "other"],
    [{ utmMedium: "qr" }, "other"],
    [{ utmMedium: "scpcx" }, "other"],
  ])("%o is %s", (arrival, group) => {
    expect(groupOf(arrival)).toBe(group);
  });

  it("recognises a click on an ad by its id alone", () => {
    expect(hasAdClickId("a=1&gclid=Cj0")).toBe(true);
    expect(hasAdClickId("msclkid=7")).toBe(true);
    expect(hasAdClickId("fbclid=x&notgclid=1&gclid=")).toBe(false);
    expect(hasAdClickId("")).toBe(false);
  });
});

describe("part 1: spam in referrers", () => {
  it.each([
    ["semalt.com", true],
    ["127.semalt.com", true],
    ["xn--lifehacer-1rb.com", true],
    ["notsemalt.com", false],
    ["semalt.com.example", false],
    ["com", false],
    ["", false],
  ])("%s: %s", (host, spam) => {
    expect(isReferrerSpam(host)).toBe(spam);
  });
});
