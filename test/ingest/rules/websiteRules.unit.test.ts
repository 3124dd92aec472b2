import { expect, test } from "vitest";
import type { StoredRules } from "../../../src/ingest/rules/storedRules.ts";
import { compileRules, ruleOfPage, ruleOfSender, rulesOfText } from "../../../src/ingest/rules/websiteRules.ts";

const nobody = { address: undefined, country: undefined, userAgent: undefined };
const nowhere = { host: undefined, path: undefined, referrer: undefined, isTrusted: false };
const sender = (rules: StoredRules, facts: Partial<typeof nobody | Record<string, string>>) =>
  ruleOfSender(compileRules(rules), { ...nobody, ...facts });
const page = (rules: StoredRules, facts: object) => ruleOfPage(compileRules(rules), { ...nowhere, ...facts });

test.each([
  ["203.0.113.255", "network"],
  ["203.0.114.0", undefined],
  ["198.51.100.7", "network"],
  ["198.51.100.8", undefined],
  ["2001:db8:ffff::1", "network"],
  ["2001:db9::1", undefined],
])("the address %s is %s of the networks", (address, expected) => {
  const networks = ["203.0.113.0/24", "198.51.100.7", "2001:db8::/32"];
  expect(sender({ networks }, { address })).toBe(expected);
});

test("countries, and parts of user agents in any letter case", () => {
  expect(sender({ countries: ["DE"] }, { country: "DE" })).toBe("country");
  expect(sender({ countries: ["DE"] }, { country: "FR" })).toBeUndefined();
  expect(sender({ userAgents: ["MonitorBot/2"] }, { userAgent: "Mozilla/5.0 monitorbot/2.1" })).toBe("user_agent");
  expect(sender({ userAgents: ["MonitorBot/2"] }, { userAgent: "Mozilla/5.0" })).toBeUndefined();
});

test("hosts exactly, and all below a host", () => {
  const hosts = ["staging.shop.example", "*.preview.example"];
  expect(page({ hosts }, { host: "staging.shop.example" })).toBe("host");
  expect(page({ hosts }, { host: "a.staging.shop.example" })).toBeUndefined();
  expect(page({ hosts }, { host: "a.b.preview.example" })).toBe("host");
  expect(page({ hosts }, { host: "preview.example" })).toBeUndefined();
  expect(page({ hosts }, { host: "evilpreview.example" })).toBeUndefined();
});

test("with listed hosts all others are excluded, and browsers whose host is not known, but not servers", () => {
  const onlyHosts = ["shop.example"];
  expect(page({ onlyHosts }, { host: "shop.example" })).toBeUndefined();
  expect(page({ onlyHosts }, { host: "copy.example" })).toBe("unlisted_host");
  expect(page({ onlyHosts }, {})).toBe("unlisted_host");
  expect(page({ onlyHosts }, { isTrusted: true })).toBeUndefined();
  expect(page({ onlyHosts }, { host: "copy.example", isTrusted: true })).toBe("unlisted_host");
});

test("paths exactly or by their beginning, and referrers", () => {
  expect(page({ paths: ["/admin*"] }, { path: "/admin/users" })).toBe("path");
  expect(page({ paths: ["/admin"] }, { path: "/admin/users" })).toBeUndefined();
  expect(page({ referrers: ["spam.example"] }, { referrer: "spam.example" })).toBe("referrer");
  expect(page({ referrers: ["spam.example"] }, { referrer: "" })).toBeUndefined();
});

test("what is not known is not excluded", () => {
  const all = { networks: ["0.0.0.0/1", "128.0.0.0/1"], countries: ["DE"], userAgents: ["a"], hosts: ["a.example"] };
  expect(sender(all, {})).toBeUndefined();
  expect(page({ ...all, paths: ["/*"], referrers: ["a.example"] }, {})).toBeUndefined();
});

test("the rules of one version of the settings are compiled once", () => {
  const text = JSON.stringify({ networks: ["203.0.113.0/24"] });
  expect(rulesOfText(text)).toBe(rulesOfText(text));
  expect(rulesOfText("{}")).toBeUndefined();
});
