import { describe, expect, test } from "vitest";
import { withoutSecrets } from "../../src/audit/withoutSecrets.ts";
import type { ApiError } from "../../src/errors/errors.ts";
import { readDomain } from "../../src/websites/readDomain.ts";
import { readTimeZone } from "../../src/websites/readTimeZone.ts";

describe("2 domain: only the host is kept", () => {
  test.each([
    ["example.com", "example.com"],
    ["EXAMPLE.com.", "example.com"],
    ["www.example.com", "www.example.com"],
    ["https://shop.example.com:8443/cart?x=1#top", "shop.example.com"],
    ["  http://example.com/ ", "example.com"],
    ["example.com/path", "example.com"],
    ["localhost:3000", "localhost"],
    ["192.168.1.20", "192.168.1.20"],
    ["müller.de", "xn--mller-kva.de"],
    ["例え.jp", "xn--r8jz45g.jp"],
    ["a_b.example.com", "a_b.example.com"],
  ])("%s is stored as %s", (given, kept) => expect(readDomain(given)).toBe(kept));

  test.each([
    "exa mple.com",
    "-a.example.com",
    "a..example.com",
    "user@example.com",
    "ftp://example.com",
    "javascript:alert(1)",
    "[::1]",
    "1.2",
    "0x7f000001",
    "xn--",
    `${"a".repeat(64)}.com`,
    `${"abcdefgh.".repeat(29)}com`,
    ".",
    "<script>",
    "example.com\u0000",
  ])("%s is refused", (given) => expect(() => readDomain(given)).toThrow(/must be a domain such as example.com/));
});

describe("2 timezone: an IANA identifier", () => {
  test.each([
    ["Europe/Berlin", "Europe/Berlin"],
    ["europe/berlin", "Europe/Berlin"],
    ["UTC", "UTC"],
    ["Asia/Kolkata", "Asia/Kolkata"],
    ["Asia/Calcutta", "Asia/Kolkata"],
    ["europe/kiev", "Europe/Kyiv"],
    ["US/Pacific", "America/Los_Angeles"],
    ["Etc/UTC", "UTC"],
    ["America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires"],
  ])("%s is stored as %s", (given, kept) => expect(readTimeZone(given)).toBe(kept));

  test.each([
    ["Europe/Berln", "Europe/Berlin"],
    ["Berlin", "Europe/Berlin"],
    ["Kolkatta", "Asia/Kolkata"],
    ["Amerika/New York", "America/New_York"],
    ["new york", "America/New_York"],
    ["+02:00", undefined],
    ["Nowhere/Neverland\u0000", undefined],
  ])("%s is refused and %s suggested", (given, suggestion) => {
    const refusal = (() => {
      try {
        return readTimeZone(given);
      } catch (error) {
        return error;
      }
    })();
    expect(refusal).toMatchObject({ code: "VALIDATION_ERROR", details: [{ field: "timezone" }] });
    expect((refusal as ApiError).details[0]?.suggestion).toBe(suggestion);
  });
});

test("the audit log hides values of fields named like secrets, at any depth", () => {
  const given = {
    name: "a",
    apiKey: "k",
    list: [{ password: "p", headers: { a: "b" }, url: "https://a.example/?b=c" }],
    secret: null,
  };
  expect(withoutSecrets(given)).toEqual({
    name: "a",
    apiKey: "[hidden]",
    list: [{ password: "[hidden]", headers: "[hidden]", url: "https://a.example/?[hidden]" }],
    secret: null,
  });
});
