import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { groupReferrer } from "../../../src/ingest/facts/referrerGroup.ts";
import { type ReferrerList, readReferrerList } from "../../../src/ingest/facts/referrerLists.ts";
import { isReferrerSpam } from "../../../src/ingest/facts/referrerSpam.ts";
import { docsText } from "../../kit/calls/docsLines.ts";

const links = { isInternal: false, utmSource: undefined, utmMedium: undefined, hasAdClickId: false };

/** The hosts of a list, those of any country for three of them. */
function hostsOf(name: ReferrerList): string[] {
  return [...readReferrerList(name)].flatMap((host) =>
    host.includes("{}")
      ? ["de", "co.uk", "com.br"].map((country) => host.replace(/^\{\}/, "fr").replace("{}", country))
      : [host],
  );
}

// What is lacking is grouped otherwise on purpose: GMail and mail.ru are e-mail, qwant.com/lite is known by its host, and so on.
test.each([
  ["search", 0.99],
  ["social", 0.99],
  ["ai", 1],
] as const)("part 2, referrer: of the public list of %s, %d are in that group", (name, share) => {
  const hosts = hostsOf(name);
  const other = hosts.filter((host) => groupReferrer({ host, ...links }) !== name);
  expect(1 - other.length / hosts.length, other.join(" ")).toBeGreaterThanOrEqual(share);
});

test("part 1: every host of the public list of referrer spam is known", () => {
  const hosts = hostsOf("spam");
  expect(hosts.length).toBeGreaterThan(2_300);
  expect(hosts.filter((host) => !isReferrerSpam(host))).toEqual([]);
});

test("part 1: no social network and no assistant is spam", () => {
  const known = (["social", "ai"] as const).flatMap(hostsOf);
  expect(known.filter(isReferrerSpam)).toEqual([]);
});

test.each(["search", "social", "ai", "spam"])(
  "The list %s says where it comes from, of which day it is, and its licence",
  (name) => {
    const text = readFileSync(new URL(`../../../third_party/referrers/${name}.txt`, import.meta.url), "utf8");
    expect(text).toMatch(
      /^# github\.com\/matomo-org\/[\w-]+ of \d{4}-\d\d-\d\d, commit [0-9a-f]{40}; (CC0 1\.0|public domain)\./,
    );
  },
);

test("The docs say how many hosts the lists have, and of which day they are", async () => {
  const docs = await docsText("docs/user/events.md");
  const day = (name: ReferrerList) => {
    const head = readFileSync(new URL(`../../../third_party/referrers/${name}.txt`, import.meta.url), "utf8");
    const date = new Date(/of (\S+), commit/.exec(head)?.[1] ?? "");
    return date.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
  };
  const count = (name: ReferrerList) => readReferrerList(name).size.toLocaleString("en");
  const text = docs.replaceAll(/\s+/g, " ");
  expect(text).toContain(`${count("spam")} hosts as of ${day("spam")}`);
  expect(text).toContain(
    `${count("search")} search engines, ${count("social")} social networks and ${count("ai")} assistants as of ${day("search")}`,
  );
});
