import { nearest } from "../../text/nearest.ts";
import { meaningsOf, wordsOf } from "./searchWords.ts";
import { type JsonObject, listOf } from "./tool.ts";

type Described = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly category: string;
  /** The label of each column, with its unit. */
  readonly columns: JsonObject;
  readonly filters: readonly string[];
  readonly supportsGranularity: boolean;
  readonly supportsGoal: boolean;
};

/** More would fill an assistant's memory; it can name those it needs. */
const mostDescribed = 3;
const mostFound = 15;

/**
 * The types of an answer of ListQueryTypes that hold words of `search`, the best first, or that `names` names. Without
 * either the names of all of them by category.
 */
export function describedTypes(
  answer: JsonObject,
  { search, names }: { readonly search: string; readonly names: readonly string[] },
): JsonObject {
  const all = readTypes(answer);
  const words = wordsOf(search);
  if (words.length === 0 && names.length === 0) return { found: all.length, names: namesByCategory(all) };
  const named = all.filter(({ name }) => names.includes(name));
  const others = matching(words, all).filter((type) => !named.includes(type));
  const unknown = names.filter((name) => !named.some((type) => type.name === name));
  const found = named.length + others.length;
  const near = suggestionFor(unknown, found === 0 ? words : [], all);
  const suggestions = [
    ...suggestionsFor(words),
    ...(near === undefined ? [] : [near]),
    ...missingText(words, all, found),
  ];
  const described = Math.max(0, mostDescribed - named.length);
  return {
    types: [
      ...named,
      // Most types have the same filters, so only who names a type needs them.
      ...others.slice(0, described).map(({ filters: _, ...type }) => type),
      ...others.slice(described, mostFound).map(({ name, title }) => ({ name, title })),
    ],
    found,
    ...(suggestions.length === 0 ? {} : { suggestion: suggestions.join(" ") }),
  };
}

function namesByCategory(all: readonly Described[]): JsonObject {
  const names: Record<string, string[]> = {};
  for (const { category, name } of all) {
    names[category] ??= [];
    names[category].push(name);
  }
  return names;
}

/** The types that hold any of the words; those that hold most of them, rare ones above all, come first. */
function matching(words: readonly string[], all: readonly Described[]): Described[] {
  const places = all.map(placesOf);
  const scores = all.map(() => 0);
  for (const word of words) {
    const found = places.map((texts) => texts.findIndex((text) => text.includes(word.replace(/y$/, ""))));
    const rarity = Math.log(1 + all.length / Math.max(1, found.filter((at) => at >= 0).length));
    for (const [index, at] of found.entries())
      if (at >= 0) scores[index] = (scores[index] ?? 0) + rarity * (leastOfAPlace + placeCount - at);
  }
  const ranked = all
    .map((type, index) => ({ type, score: scores[index] ?? 0 }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ type }) => type);
  // Otherwise the many types about one of the words would hide all about another.
  const bestOfEach = words.flatMap((word) => ranked.find((type) => placesOf(type)[0]?.includes(word)) ?? []);
  return [...new Set([...ranked.slice(0, mostDescribed), ...bestOfEach, ...ranked])];
}

/** A word in the name counts most, one in the columns least, but two words anywhere more than one in a name. */
function placesOf({ name, title, description, category, columns, supportsGoal }: Described): readonly string[] {
  const texts = [name, title, category, description, JSON.stringify(columns) + (supportsGoal ? " goal" : "")];
  return texts.map((text) => text.toLowerCase());
}

const placeCount = 5;
const leastOfAPlace = 4;

/** How to ask for what the descriptions of the types alone do not tell. */
function suggestionsFor(words: readonly string[]): string[] {
  const has = (...any: readonly string[]): boolean => any.some((word) => words.includes(word));
  // Sign-ups and orders are not counted by most types: a tool of their own splits them by what brought the visitors.
  const isSplit = has("event") && has("campaign", "source", "referrer", "channel", "country");
  return [
    ...(has("goal") || isSplit
      ? [
          "The tool goals counts sign-ups, orders and other goals, with splitBy such as utm_campaign; the tool funnel counts steps. The type custom_events lists the names of events.",
        ]
      : []),
    ...(has("vitals") && !has("llm")
      ? [
          'How fast a page is for visitors: vitals_by_page with filters [{"field":"metric_name","op":"eq","value":"LCP"}] has one row for each page; {"field":"device_type","op":"eq","value":"mobile"} adds that it is of phones.',
        ]
      : []),
    ...(has("version") || words.some((word) => meaningsOf(word).includes("custom_event"))
      ? [
          'Releases are custom events, where the owner marks them: usually of the name deploy with the property version. custom_events_recent with filters [{"field":"event_name","op":"eq","value":"deploy"}] lists them, custom_events the names of all events.',
        ]
      : []),
  ];
}

/** The words that no type knows, where others were found. */
function missingText(words: readonly string[], all: readonly Described[], found: number): string[] {
  if (found === 0) return [];
  const texts = all.map((type) => placesOf(type).join(" "));
  const missing = words.filter(
    (word) => meaningsOf(word).length === 0 && !texts.some((text) => text.includes(word.replace(/y$/, ""))),
  );
  return missing.length === 0 ? [] : [`No type is about ${missing.slice(0, 5).join(", ")}; say so rather than guess.`];
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
  return words.length > 0 ? "No type holds any of these words. Leave search out to see all names." : undefined;
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
      columns: Object.fromEntries(listOf(columns).map(({ name, label, unit }) => [name, labelOf(label, unit)])),
      filters: Array.isArray(allowedFilters) ? allowedFilters : [],
      supportsGranularity: supported["supports_granularity"] === true,
      supportsGoal: supported["supports_goal"] === true,
    };
  });
}

function labelOf(label: unknown, unit: unknown): string {
  return typeof unit === "string" ? `${String(label)} (${unit})` : String(label);
}

function objectOf(value: unknown): JsonObject {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
