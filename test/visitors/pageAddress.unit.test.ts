import { describe, expect, it } from "vitest";
import { readCampaign, readPageAddress, readReferrer } from "../../src/visitors/pageAddress.ts";

const usual = { trailingSlash: "keep", queryParameters: [] } as const;

describe("part 6, path: query string and fragment are cut", () => {
  it.each([
    ["/pricing", "/pricing"],
    ["/pricing?email=a@b.example", "/pricing"],
    ["/pricing#plans", "/pricing"],
    ["/pricing#plans?x=1", "/pricing"],
    ["https://shop.example/cart/42?token=secret#top", "/cart/42"],
    ["https://shop.example", "/"],
    ["https://shop.example?x=1", "/"],
    ["https://user:password@shop.example/a", "/a"],
    ["HTTPS://SHOP.example:8443/a/b", "/a/b"],
    ["app://screens/home", "/home"],
    ["HomeScreen", "HomeScreen"],
    ["/redirect?to=https://other.example/x", "/redirect"],
    ["/a%20b/ü", "/a b/ü"],
    ["?x=1", "/"],
    ["#top", "/"],
    ["", ""],
    ["/caf%C3%A9", "/café"],
    ["/caf%c3%a9?x=1", "/café"],
    ["/%f0%9f%98%80%E2%82%ac", "/😀€"],
    ["/a%2fb%3fc%23d%25e%0a%7f", "/a%2Fb%3Fc%23d%25e%0A%7F"],
    ["/%252f", "/%252f"],
    ["/%c3%28/%ff/%c0%af/%ed%a0%80", "/%C3(/%FF/%C0%AF/%ED%A0%80"],
    ["/100%/%zz/%4", "/100%/%zz/%4"],
    ["/%40me/%7Eme/%61", "/@me/~me/a"],
  ])("%s is the page %s", (address, path) => {
    expect(readPageAddress(address, usual).path).toBe(path);
  });

  it("keeps the query string for the UTM fields, without the fragment", () => {
    expect(readPageAddress("https://shop.example/a?b=1&c=2#d?e=3", usual).query).toBe("b=1&c=2");
  });
});

describe("2 paths of a website", () => {
  const rules = { trailingSlash: "remove", queryParameters: ["id", "tab", "q"] } as const;
  it.each([
    ["/a/", "/a"],
    ["/a//", "/a/"],
    ["/", "/"],
    ["https://shop.example/", "/"],
    ["/caf%C3%A9/?utm_source=x", "/café"],
    ["/product?id=5&email=a@b.example", "/product?id=5"],
    ["/product/?tab=2&id=5#top", "/product?id=5&tab=2"],
    ["/product?id=5&id=6", "/product?id=5"],
    ["/product?ID=5", "/product"],
    ["/search?q=a%20b+%C3%A9%26c", "/search?q=a+b+%C3%A9%26c"],
    ["/search?q=", "/search?q="],
    ["/a?id", "/a?id="],
  ])("%s is the page %s", (address, path) => {
    expect(readPageAddress(address, rules).path).toBe(path);
  });
});

describe("part 6, utm_*: kept from the query string", () => {
  it("reads the five fields, decoded", () => {
    expect(
      readCampaign("x=1&utm_source=news%20letter&utm_medium=email&utm_campaign=a+b&utm_term=t&utm_content=c"),
    ).toEqual({
      utmSource: "news letter",
      utmMedium: "email",
      utmCampaign: "a b",
      utmTerm: "t",
      utmContent: "c",
    });
  });

  it("finds none in other queries", () => {
    expect(readCampaign("utm=1&source=x")).toBeUndefined();
  });

  it("treats an empty value as absent", () => {
    expect(readCampaign("utm_source=&utm_medium=email")?.utmSource).toBeUndefined();
  });
});

describe("part 6, referrer: cut, and its host is the source", () => {
  it.each([
    ["https://www.google.com/search?q=secret#x", "https://www.google.com/search", "google.com"],
    ["https://www.google.com./", "https://www.google.com./", "google.com"],
    ["https://SHOP.example./a", "https://SHOP.example./a", ""],
    ["https://News.Example:8080/a", "https://News.Example:8080/a", "news.example"],
    ["https://user:password@news.example/a", "https://news.example/a", "news.example"],
    ["android-app://com.google.android.gm/", "android-app://com.google.android.gm/", "com.google.android.gm"],
    ["https://shop.example/before", "https://shop.example/before", ""],
    ["https://www.shop.example/before", "https://www.shop.example/before", ""],
    ["https://blog.shop.example/", "https://blog.shop.example/", ""],
    ["https://notshop.example/", "https://notshop.example/", "notshop.example"],
    ["duckduckgo.com/?q=x", "duckduckgo.com/", "duckduckgo.com"],
    ["/before?x=1", "/before", ""],
    ["direct", "", ""],
    ["", "", ""],
  ])("%s is stored as %s from %s", (referrer, address, source) => {
    expect(readReferrer(referrer, "shop.example")).toEqual({ address, source });
  });
});
