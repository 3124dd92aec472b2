import { expect, test } from "vitest";
import { targetsOf, withCampaign, withQuery } from "../../src/links/follow/targets.ts";
import { generateSlug, isReserved } from "../../src/links/manage/slug.ts";

test.each([
  ["https://a.example/", "https://a.example/?utm_source=x&utm_medium=a%26b"],
  ["https://a.example/p?q=1#part", "https://a.example/p?q=1&utm_source=x&utm_medium=a%26b#part"],
  [
    "https://a.example/?q=%20+&utm_source=old&utm_sources=y",
    "https://a.example/?q=%20+&utm_sources=y&utm_source=x&utm_medium=a%26b",
  ],
  ["https://a.example/?utm_medium", "https://a.example/?utm_source=x&utm_medium=a%26b"],
])("8.5: a campaign is added to %s in place of its own", (address, expected) => {
  expect(withCampaign(address, { medium: "a&b", source: "x" })).toBe(expected);
});

test("8.5: without a campaign a URL is unchanged", () => {
  expect(withCampaign("https://a.example/?&a==&utm_source=x#", {})).toBe("https://a.example/?&a==&utm_source=x#");
});

test("4.14: conversions are measured for targets on the tracked website, for each device's target", () => {
  const targets = targetsOf({
    targetUrl: "https://www.shop.example/sale/?x=1",
    targetWebsiteId: "site",
    iosUrl: "https://shop.example/",
    androidUrl: "https://play.example/app",
    desktopUrl: null,
    utm: {},
  });
  expect(targets.any).toMatchObject({ websiteId: "site", path: "/sale" });
  expect(targets.ios).toMatchObject({ websiteId: "site", path: "" });
  expect(targets.android).toMatchObject({ websiteId: undefined, path: undefined });
  expect(targets.desktop).toBe(targets.any);
});

test("8.5: generated slugs avoid characters that look alike, and a thousand are all different", () => {
  const slugs = Array.from({ length: 1_000 }, () => generateSlug());
  for (const slug of slugs) expect(slug).toMatch(/^[2-9a-hjkmnp-tv-z]{7}$/);
  expect(new Set(slugs).size).toBe(1_000);
  expect([isReserved("API"), isReserved("apis"), isReserved("spring")]).toEqual([true, true, false]);
});

test.each([
  ["https://t.example/p", "ref=a%20b&x=1", "https://t.example/p?ref=a%20b&x=1"],
  ["https://t.example/p?q=1#top", "ref=poster", "https://t.example/p?q=1&ref=poster#top"],
  ["https://t.example/p?q=1", "q=2&Q=3&%71=4&r=5", "https://t.example/p?q=1&r=5"],
  [
    "https://t.example/p?utm_source=mail",
    "utm_source=evil&utm_medium=x",
    "https://t.example/p?utm_source=mail&utm_medium=x",
  ],
  ["https://t.example/p", "a=1&a=2&&flag", "https://t.example/p?a=1&a=2&flag"],
  ["https://t.example/p?", "", "https://t.example/p?"],
  ["https://t.example/p", "n=sch\u00c3\u00b6n", "https://t.example/p?n=sch%C3%B6n"],
  ["https://t.example/p", "x=//evil.example/#y", "https://t.example/p?x=//evil.example/%23y"],
])("8.5: the target %s of a request with ?%s is %s", (address, query, target) => {
  expect(withQuery(address, query)).toBe(target);
});
