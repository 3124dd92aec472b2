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
};

/** More would fill an assistant's memory; it can name those it needs. */
const mostDescribed = 8;

/**
 * The types of an answer of ListQueryTypes that hold all words of `search`, or that `names` names. Without either all of
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
  const matching = all
    .map((type) => ({ type, score: scoreOf(type, words) }))
    .filter(({ type, score }) => score > 0 && !named.includes(type))
    .sort((a, b) => b.score - a.score)
    .map(({ type }) => type);
  const found = [...named, ...(words.length > 0 ? matching : [])];
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

/** 0 unless every word occurs; a word in the name counts most, one in the columns least. */
function scoreOf({ name, title, description, category, columns }: Described, words: readonly string[]): number {
  const places = [name, title, description, category, JSON.stringify(columns)].map((text) => text.toLowerCase());
  let score = 0;
  for (const word of words) {
    const at = places.findIndex((text) => text.includes(word));
    if (at < 0) return 0;
    score += places.length - at;
  }
  return score;
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
    const { title, description, category, output_fields: columns, supports_granularity: isSeries } = objectOf(meta);
    return {
      name,
      title: String(title ?? name),
      description: String(description ?? ""),
      category: String(category ?? ""),
      columns: Array.isArray(columns) ? columns : [],
      filters: Array.isArray(allowedFilters) ? allowedFilters : [],
      supportsGranularity: isSeries === true,
    };
  });
}

function objectOf(value: unknown): JsonObject {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
