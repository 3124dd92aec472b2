import { beforeAll, expect, test, vi } from "vitest";
import { dropReasons } from "../../src/ingest/dropReasons.ts";
import { ruleKinds } from "../../src/ingest/rules/storedRules.ts";
import { botKinds } from "../../src/visitors/ownBotNames.ts";
import {
  aiSystemsOf,
  botsOf,
  excludedFacts,
  firstCounted,
  isAllUnknown,
  nameOf,
  reasonsOf,
} from "../../web/app/src/pages/dashboard/more/excluded/excludedRows.ts";
import { texts as de } from "../../web/app/src/texts/de.ts";
import { texts as en } from "../../web/app/src/texts/en.ts";
import { texts as fr } from "../../web/app/src/texts/fr.ts";

beforeAll(() => vi.stubGlobal("navigator", { languages: ["en"] }));

const bot = (kind: string, name: string, count: number) => ({ reason: "bot", kind, name, operator: "x", count });
const other = (reason: string, count: number) => ({ reason, kind: "", name: "", operator: "", count });
const rows = [
  other("do_not_track", 120),
  bot("ai_crawler", "GPTBot", 40),
  bot("search_engine", "Googlebot", 600),
  other("repeated", 2),
  other("expired", 50),
];

test.each([
  ["en", en],
  ["de", de],
  ["fr", fr],
] as const)("every reason and every kind of what was left out has a text in %s", (_, { excluded }) => {
  expect(Object.keys(excluded.reasons).toSorted()).toEqual([...dropReasons].toSorted());
  expect(Object.keys(excluded.rules).toSorted()).toEqual([...ruleKinds].toSorted());
  expect(Object.keys(excluded.kinds).toSorted()).toEqual([...botKinds].toSorted());
});

test("the closed line has the sum and the three most frequent reasons", () => {
  expect(excludedFacts(rows, en).map(({ before, figure, after }) => before ?? `${figure} ${after}`)).toEqual([
    "812 events left out",
    "Bots",
    "Do Not Track or Global Privacy Control",
    "Too old",
  ]);
  expect(excludedFacts(rows, en).map(({ value }) => value)).toEqual([812, 640, 120, 50]);
  expect(excludedFacts([], en)).toEqual([]);
});

test("bots and AI systems are rows of the answer, most events first", () => {
  expect(reasonsOf(rows).map(({ reason }) => reason)).toEqual(["bot", "do_not_track", "expired", "repeated"]);
  expect(botsOf(rows).map(({ name }) => name)).toEqual(["Googlebot", "GPTBot"]);
  expect(aiSystemsOf(rows).map(({ name }) => name)).toEqual(["GPTBot"]);
  expect(nameOf(en.excluded.kinds, "constructor")).toBe("constructor");
});

test("days before counting began are not known, and are not 0", () => {
  const day = (date: string, count: number | null) => ({ date, count });
  expect(isAllUnknown([day("2026-03-01", null), day("2026-03-02", null)])).toBe(true);
  expect(isAllUnknown([day("2026-03-01", null), day("2026-03-02", 0)])).toBe(false);
  expect(firstCounted([day("2026-03-01", null), day("2026-03-02", 0)])).toBe("2026-03-02");
  expect(firstCounted([day("2026-03-01", 0), day("2026-03-02", 1)])).toBeUndefined();
});
