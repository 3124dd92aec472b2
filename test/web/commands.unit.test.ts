import { expect, test } from "vitest";
import type { Command, CommandGroup } from "../../web/app/src/shell/command/command.ts";
import { commandKeys, opensCommands } from "../../web/app/src/shell/command/commandKeys.ts";
import { firstCommands, matchCommands } from "../../web/app/src/shell/command/matchCommands.ts";
import { queryWithSegment } from "../../web/app/src/shell/command/queryWithSegment.ts";
import { withRecent } from "../../web/app/src/shell/command/recentCommands.ts";
import { tileColour } from "../../web/app/src/ui/tileColour.ts";

const command = (group: CommandGroup, text: string, hint?: string): Command => ({
  id: `${group} ${text}`,
  group,
  text,
  ...(hint === undefined ? {} : { hint }),
  run: () => undefined,
});

const commands = [
  command("actions", "Add a website"),
  command("actions", "Theme: Dark"),
  command("websites", "Bakery", "bakery.example"),
  command("websites", "Café Müller", "mueller.example"),
  command("monitors", "Checkout API", "Bakery"),
  command("pages", "Uptime", "Bakery"),
  command("segments", "Readers in Paris", "Bakery"),
];

const found = (text: string) => matchCommands(commands, text).map((one) => one.text);

test.each([
  ["bak", ["Bakery", "Uptime", "Readers in Paris", "Checkout API"]],
  ["paris", ["Readers in Paris"]],
  ["BAKERY up", ["Uptime"]],
  ["cafe mull", ["Café Müller"]],
  ["dark", ["Theme: Dark"]],
  ["heckout", ["Checkout API"]],
  ["chapi", ["Checkout API"]],
  ["zzz", []],
])("%j finds %j: words in any order, without accents, or letters in their order", (text, expected) => {
  expect(found(text)).toEqual(expected);
});

test("the best match of a group comes first, and a group has eight at most", () => {
  const many = [command("links", "spring sale"), command("links", "Sale"), command("links", "wholesale")];
  expect(matchCommands(many, "sale").map(({ text }) => text)).toEqual(["Sale", "spring sale", "wholesale"]);
  const websites = Array.from({ length: 60 }, (_, index) => command("websites", `Shop ${index}`));
  expect(matchCommands(websites, "shop")).toHaveLength(8);
});

test("before a text is typed the commands chosen last come first, once, and long lists wait for a text", () => {
  const first = firstCommands(commands, ["monitors Checkout API", "gone", "websites Bakery"]);
  expect(first.map(({ group, text }) => `${group} ${text}`)).toEqual([
    "recent Checkout API",
    "recent Bakery",
    "websites Café Müller",
    "pages Uptime",
    "segments Readers in Paris",
    "actions Add a website",
    "actions Theme: Dark",
  ]);
});

test("a chosen command is remembered once, and five of them", () => {
  expect(withRecent(["b", "a"], "a")).toEqual(["a", "b"]);
  expect(withRecent(["e", "d", "c", "b", "a"], "f")).toEqual(["f", "e", "d", "c", "b"]);
});

test("Ctrl K and ⌘ K open the command menu, other keys with K do not", () => {
  const none = { key: "k", ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };
  const pressed = [
    none,
    { ...none, ctrlKey: true },
    { ...none, metaKey: true, key: "K" },
    { ...none, ctrlKey: true, shiftKey: true },
  ];
  expect(pressed.map(opensCommands)).toEqual([false, true, true, false]);
  expect([commandKeys("MacIntel"), commandKeys("Linux x86_64")]).toEqual(["⌘ K", "Ctrl K"]);
});

test("a name has one of six colours, the same whatever its letter case", () => {
  const names = ["Demo shop", "Bakery", "docs.example.org", "Yoga studio", "Law office", "Atelier", "blog", "Bicycle"];
  expect(names.every((name) => tileColour(name) >= 1 && tileColour(name) <= 6)).toBe(true);
  expect(new Set(names.map(tileColour)).size).toBeGreaterThan(2);
  expect(tileColour(" BAKERY ")).toBe(tileColour("Bakery"));
});

test("a segment keeps the period of the website's overview, and begins with the usual one elsewhere", () => {
  const segment = { id: "s1", filters: [{ field: "country", op: "eq", value: "FR" } as const] };
  const at = (address: string) => {
    const { pathname, searchParams } = new URL(address, "http://localhost");
    const place = { segments: pathname.split("/").slice(1), query: searchParams, fragment: "" };
    return `${queryWithSegment(segment, "w1", place)}`;
  };
  const own = "filter=country%3Aeq%3AFR&segment=s1";
  expect(at("/dashboard/w1?range=last_7d&filter=path:eq:/a&segment=s0")).toBe(`range=last_7d&${own}`);
  expect(at("/dashboard/w2?range=last_7d&filter=path:eq:/a")).toBe(own);
  expect(at("/uptime/w1?range=last_7d")).toBe(own);
});
