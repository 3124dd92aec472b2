import { describe, expect, test } from "vitest";
import { languages } from "../../web/app/src/texts/languages.ts";

/** Every text by its path, such as panels.rate. */
function textsByPath(value: unknown, path = ""): [string, unknown][] {
  if (typeof value !== "object" || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([key, part]) => textsByPath(part, path === "" ? key : `${path}.${key}`));
}

/** What a text says when each of its parameters is a mark. A mark is no number, so texts say their plural. */
function written(text: unknown): string {
  if (typeof text !== "function") return String(text);
  return String(text(...Array.from({ length: 8 }, (_, at) => `⟦${at}⟧`)));
}

function marksIn(text: unknown): string[] {
  return [...new Set(written(text).match(/⟦\d⟧/g))].sort();
}

async function textsOf(name: keyof typeof languages): Promise<Map<string, unknown>> {
  const [first, settings] = await Promise.all([languages[name].texts(), languages[name].settingsTexts()]);
  return new Map([...textsByPath(first.texts), ...textsByPath(settings.texts, "settings:")]);
}

const english = await textsOf("en");
const names = Object.keys(languages) as (keyof typeof languages)[];

describe.each(names)("%s", async (name) => {
  const texts = await textsOf(name);

  test("has exactly the texts that English has", () => {
    expect([...texts.keys()].sort()).toEqual([...english.keys()].sort());
  });

  test("has no empty text", () => {
    expect([...texts].filter(([, text]) => written(text).trim() === "").map(([path]) => path)).toEqual([]);
  });

  test("says in each text what English says in it", () => {
    const differing = [...texts].filter(([path, text]) => marksIn(text).join() !== marksIn(english.get(path)).join());
    expect(differing.map(([path]) => path)).toEqual([]);
  });

  test("is a language that browsers know, and is named in its own words", () => {
    expect(Intl.DateTimeFormat.supportedLocalesOf(name)).toEqual([name]);
    const own = new Intl.DisplayNames(name, { type: "language" }).of(name);
    expect(languages[name].name.toLocaleLowerCase(name)).toBe(own?.toLocaleLowerCase(name));
  });
});
