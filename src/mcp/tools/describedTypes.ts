import { nearest } from "../../text/nearest.ts";
import type { JsonObject } from "./tool.ts";

type Described = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly category: string;
  readonly columns: readonly JsonObject[];
  readonly filters: readonly string[];
  readonly supportsGranularity: boolean;
  readonly supportsGoal: boolean;
};

/** More would fill an assistant's memory; it can name those it needs. */
const mostDescribed = 8;

/**
 * The types of an answer of ListQueryTypes that hold the words of `search`, or that `names` names. Without either all of
 * them, with their names and titles only.
 */
export function describedTypes(
  answer: JsonObject,
  { search, names }: { readonly search: string; readonly names: readonly string[] },
): JsonObject {
  const { presets } = answer;
  const all = readTypes(answer);
  const words = search
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((word) => word !== "");
  if (words.length === 0 && names.length === 0)
    return { types: all.map(({ name, title }) => ({ name, title })), found: all.length, presets };
  const named = all.filter(({ name }) => names.includes(name));
  const found = [...named, ...matching(words, all).filter((type) => !named.includes(type))];
  const unknown = names.filter((name) => !named.some((type) => type.name === name));
  const suggestion = suggestionFor(unknown, found.length === 0 ? words : [], all);
  return {
    types: [
      ...found.slice(0, mostDescribed),
      ...found.slice(mostDescribed).map(({ name, title }) => ({ name, title })),
    ],
    found: found.length,
    presets,
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

/** The types that hold all words, or where none does those that hold the most of them; the best first. */
function matching(words: readonly string[], all: readonly Described[]): Described[] {
  const scored = all.map((type) => ({ type, ...matchOf(type, words) }));
  const most = Math.max(0, ...scored.map(({ words: held }) => held));
  return scored
    .filter(({ words: held }) => held > 0 && held === most)
    .sort((a, b) => b.score - a.score)
    .map(({ type }) => type);
}

/** How many of the words a type holds, and a score: a word in the name counts most, one in the columns least. */
function matchOf(type: Described, words: readonly string[]): { readonly words: number; readonly score: number } {
  const { name, title, description, category, columns, supportsGoal } = type;
  const ofGoals = supportsGoal ? " goal conversions conversion_rate" : "";
  const places = [name, title, description, category, JSON.stringify(columns) + ofGoals].map((text) =>
    text.toLowerCase(),
  );
  const scores = words.flatMap((word) => {
    const at = places.findIndex((text) => text.includes(word));
    return at < 0 ? [] : [places.length - at];
  });
  return { words: scores.length, score: scores.reduce((sum, score) => sum + score, 0) };
}

function suggestionFor(
  unknown: readonly string[],
  words: readonly string[],
  all: readonly Described[],
): string | undefined {
  const names = all.map(({ name }) => name);
  const near = [...unknown, ...words].flatMap((word) => nearest(word, names) ?? []);
  if (near.length > 0) return `Did you mean ${[...new Set(near)].join(", ")}?`;
  if (unknown.length > 0) return `There are no types ${unknown.join(", ")}. Search for words instead.`;
  return words.length > 0 ? "No type holds all these words. Search for one of them." : undefined;
}

function readTypes({ configs }: JsonObject): readonly Described[] {
  return Object.entries(objectOf(configs)).map(([name, config]) => {
    const { allowedFilters, meta } = objectOf(config);
    const { title, description, category, output_fields: columns, ...supported } = objectOf(meta);
    return {
      name,
      title: String(title ?? name),
      description: String(description ?? ""),
      category: String(category ?? ""),
      columns: Array.isArray(columns) ? columns : [],
      filters: Array.isArray(allowedFilters) ? allowedFilters : [],
      supportsGranularity: supported["supports_granularity"] === true,
      supportsGoal: supported["supports_goal"] === true,
    };
  });
}

function objectOf(value: unknown): JsonObject {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
