import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { Bindings } from "../../../src/query/sql/bindings.ts";
import { type Filter, filterSql, matchesText } from "../../../src/query/sql/filters.ts";
import type { TextComparison } from "../../../src/query/sql/textComparison.ts";
import type { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import { pick } from "../../kit/random/randomEvents.ts";
import { seededRandom } from "../../kit/random/seededRandom.ts";
import { countRows, insertRows } from "../../kit/stores/sampleRows.ts";
import { openQuestdb } from "../../kit/stores/testQuestdb.ts";

const websiteId = randomUUID();
const random = seededRandom(20_261_126);

/** What patterns of SQL, of Java and of shells give a meaning to, and characters of one to four bytes. */
const characters = [
  ..."aAbäÄé😀𝒜%_\\*?.[](){}^$+|/-&# '\"",
  ...["\n", "\r", "\t", "\u2028", "e\u0301", "ſ", "\u212a", "\\E", "\\Q", "(?s)", "null"],
];

const textOf = (length: number) =>
  Array.from({ length: Math.floor(random() * length) }, () => pick(random, characters)).join("");

const texts = Array.from({ length: 300 }, () => textOf(7) || "a");

let reader: QuestdbReader;

beforeAll(async () => {
  reader = openQuestdb();
  const atMs = Date.UTC(2026, 4, 1);
  const rows = texts.map((text, index) => ({ tsMs: atMs + index * 1_000, path: text, browser_version: text }));
  await insertRows(reader, "events", [...rows, { tsMs: atMs - 1_000, path: null, browser_version: null }], websiteId);
  await vi.waitFor(async () => expect(await countRows(reader, "events", websiteId)).toBe(301), { timeout: 100_000 });
});

afterAll(() => reader.close());

/** As JavaScript says, with patterns as regular expressions. */
const oracle: Record<TextComparison, (text: string, value: string) => boolean> = {
  contains: (text, value) => text.includes(value),
  starts_with: (text, value) => text.startsWith(value),
  ends_with: (text, value) => text.endsWith(value),
  matches: (text, value) => {
    const parts = Array.from(value, (one) => {
      if (one === "*") return "[^]*";
      return one === "?" ? "[^]" : `\\u{${one.codePointAt(0)?.toString(16)}}`;
    });
    return new RegExp(`^${parts.join("")}$`, "u").test(text);
  },
};

/** A text with some characters replaced by wildcards. */
function patternOf(text: string): string {
  return Array.from(text, (one) => (random() < 0.25 ? "*" : random() < 0.2 ? "?" : one)).join("") || "*";
}

const part = (text: string) => {
  const all = Array.from(text);
  const start = Math.floor(random() * all.length);
  return all.slice(start, random() < 0.5 ? all.length : start + 1 + Math.floor(random() * 3)).join("");
};

describe.each(["path", "browser_version"])("4.1 searches in %s find what JavaScript finds", (field) => {
  test.each(Object.keys(oracle) as TextComparison[])("%s", { timeout: 300_000 }, async (comparison) => {
    for (let round = 0; round < 120; round++) {
      const source = random() < 0.8 ? pick(random, texts) : textOf(4) || "b";
      const value = comparison === "matches" ? patternOf(source) : part(source);
      const filter: Filter = { field, comparison, negated: random() < 0.3, values: [value] };
      const bindings = new Bindings();
      const sql = `SELECT ${field} AS text FROM events WHERE website_id = ${bindings.bind(websiteId)} AND ${filterSql([filter], "events", bindings)} ORDER BY ts`;
      const found = (await reader.read(sql, bindings.values)).flatMap(({ text }) => text ?? []);
      expect({ value, found }).toEqual({
        value,
        found: texts.filter((text) => oracle[comparison](text, value) !== filter.negated),
      });
      expect(texts.filter((text) => matchesText(filter, text))).toEqual(found);
    }
  });
});

test("4.1 a pattern with many wildcards is compared at once", { timeout: 100_000 }, async () => {
  const text = "a".repeat(2_048);
  const ownId = randomUUID();
  await insertRows(
    reader,
    "events",
    Array.from({ length: 100 }, (_, index) => ({ tsMs: Date.UTC(2026, 4, 1) + index, path: text })),
    ownId,
  );
  await vi.waitFor(async () => expect(await countRows(reader, "events", ownId)).toBe(100), { timeout: 100_000 });
  for (const [value, count] of [
    [`${"*a".repeat(49)}*b`, 0],
    [`${"*a".repeat(49)}*a`, 100],
    [`${"?".repeat(100)}${"a".repeat(1_948)}`, 100],
  ] as const) {
    const filter: Filter = { field: "path", comparison: "matches", negated: false, values: [value] };
    const bindings = new Bindings();
    const sql = `SELECT count() AS n FROM events WHERE website_id = ${bindings.bind(ownId)} AND ${filterSql([filter], "events", bindings)}`;
    expect(await reader.read(sql, bindings.values)).toEqual([{ n: count }]);
    expect(matchesText(filter, text)).toBe(count > 0);
  }
});
