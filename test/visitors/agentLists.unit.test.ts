import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Agent, readUserAgent } from "../../src/visitors/userAgent.ts";
import { docsText } from "../kit/calls/docsLines.ts";

function listOf(name: string): { readonly head: string; readonly lines: readonly string[] } {
  const [head = "", ...lines] = readFileSync(new URL(`../../third_party/agents/${name}`, import.meta.url), "utf8")
    .trimEnd()
    .split("\n");
  return { head, lines };
}

const bots = listOf("bots.txt");
const people = listOf("people.tsv");

type Person = { readonly device: string; readonly os: string; readonly browser: string; readonly agent: string };
const persons = people.lines.map((line): Person => {
  const [device = "", os = "", browser = "", agent = ""] = line.split("\t");
  return { device: device === "television" ? "tv" : device, os, browser, agent };
});

/** The share of which `isRight` holds, and the others, to read where the share is too low. */
function shareOf<T>(
  all: readonly T[],
  isRight: (one: T) => boolean,
): { readonly share: number; readonly other: string } {
  const other = all.filter((one) => !isRight(one));
  return { share: 1 - other.length / all.length, other: other.map((one) => JSON.stringify(one)).join("\n") };
}

// What is lacking are wrappers of websites and the browsers of apps, such as Instagram's, which people use.
test("part 1: of a public list of bots, 99.7 % are automated, and 99.7 % without HTTP libraries are bots", () => {
  const automated = shareOf(bots.lines, (agent) => readUserAgent(agent).isAutomated);
  expect(automated.share, automated.other).toBeGreaterThanOrEqual(0.997);
  const library = /^(?:wget|python|go-http|okhttp|apache-http|jetty|axios|curl|node-fetch|got|httpie)/i;
  const named = bots.lines.filter((agent) => !library.test(agent));
  expect(named.length).toBeGreaterThan(2_000);
  const known = shareOf(named, (agent) => readUserAgent(agent).isBot);
  expect(known.share, known.other).toBeGreaterThanOrEqual(0.997);
});

test("part 1: of a public list of people's browsers, 99 % are no bots", () => {
  const { share, other } = shareOf(persons, ({ agent }) => !readUserAgent(agent).isBot);
  expect(share, other).toBeGreaterThanOrEqual(0.99);
});

test.each([
  ["desktop", 0.98],
  ["mobile", 0.93],
  ["tablet", 0.9],
  ["tv", 0.98],
])("part 1: of a public list of people's browsers on the device %s, %d are known as that", (device, least) => {
  const some = persons.filter((one) => one.device === device);
  expect(some.length).toBeGreaterThan(100);
  const { share, other } = shareOf(some, ({ agent }) => readUserAgent(agent).device === device);
  expect(share, other).toBeGreaterThanOrEqual(least);
});

/** What the list calls otherwise: systems and browsers that we count with another one, or under another name. */
const sameNames: Readonly<Record<string, string>> = {
  "OS X": "macOS",
  "Mac OS": "macOS",
  webOS: "WebOS",
  "BlackBerry OS": "BlackBerry",
  "BlackBerry Tablet OS": "BlackBerry",
  ...named(
    "Linux",
    "Ubuntu|Fedora|SUSE|Red Hat|Debian|Mageia|Mandriva|Slackware|CentOS|Gentoo|Turbolinux|Joli OS|gNewSense|LeOS",
  ),
  ...named("Android", "FireOS|Android TV|Google TV|Aliyun OS|Nokia X Platform"),
  "BlackBerry Browser": "BlackBerry",
  "Firefox Mobile": "Firefox",
  "GNOME Web": "Epiphany",
  "Mobile Internet Explorer": "Internet Explorer",
  "Samsung Internet": "Samsung Internet for Android",
  Silk: "Amazon Silk",
  "Sogou Mobile": "Sogou Browser",
  "Swing Browser": "Swing",
  "webOS Browser": "WebOS Browser",
  Edge: "Microsoft Edge",
  ...named("Opera", "Opera Devices|Opera Mobile|Opera GX|Opera Mini"),
};

function named(name: string, others: string): Readonly<Record<string, string>> {
  return Object.fromEntries(others.split("|").map((one) => [one, name]));
}

// The list is full of rare and old ones: the rest are systems and browsers for which we have no name, such as Haiku and
// Konqueror, and those of televisions, which say that they are another one.
test.each([
  ["os", 0.81],
  ["browser", 0.63],
] as const)("part 1: of a public list of people's browsers, the %s of %d is named right", (kind, least) => {
  const some = persons.filter((one) => one[kind] !== "");
  const nameOf = (agent: Agent) => agent[kind];
  const { share, other } = shareOf(some, (one) => {
    const name = one[kind];
    return nameOf(readUserAgent(one.agent)) === (sameNames[name] ?? name);
  });
  expect(share, other).toBeGreaterThanOrEqual(least);
});

test.each([bots, people])(
  "The list says where it comes from, of which day it is, and its licence: $head",
  ({ head }) => {
    expect(head).toMatch(/^# github\.com\/[\w-]+\/[\w-]+ of \d{4}-\d\d-\d\d, commit [0-9a-f]{40}; MIT\./);
  },
);

test("The docs say how many agents the lists have", async () => {
  const text = (await docsText("docs/user/events.md")).replaceAll(/\s+/g, " ");
  expect(text).toContain(`${bots.lines.length.toLocaleString("en")} bots`);
  expect(text).toContain(`${persons.length.toLocaleString("en")} browsers of people`);
});
