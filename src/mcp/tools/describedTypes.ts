import { nearest } from "../../text/nearest.ts";
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
  const suggestion = toolFor(words) ?? suggestionFor(unknown, found === 0 ? words : [], all);
  const described = Math.max(0, mostDescribed - named.length);
  return {
    types: [
      ...named,
      // Most types have the same filters, so only who names a type needs them.
      ...others.slice(0, described).map(({ filters: _, ...type }) => type),
      ...others.slice(described, mostFound).map(({ name, title }) => ({ name, title })),
    ],
    found,
    ...(suggestion === undefined ? {} : { suggestion }),
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

/** What people say, by the words that types have for it. */
const meanings: Readonly<Record<string, readonly string[]>> = {
  goal: [
    "sign-up",
    "signup",
    "signups",
    "registration",
    "conversion",
    "convert",
    "order",
    "purchase",
    "sale",
    "revenue",
    "money",
    "lead",
  ],
  exit: ["leave", "abandon", "quit", "bounce"],
  referrer: ["source", "channel", "traffic"],
  page: ["url", "path", "article", "product"],
  vitals: ["slow", "speed", "fast", "performance"],
  devices: ["mobile", "phone", "desktop", "tablet"],
};

const stopWords: ReadonlySet<string> = new Set([
  "by",
  "the",
  "of",
  "a",
  "an",
  "and",
  "in",
  "or",
  "where",
  "on",
  "for",
  "per",
  "which",
  "what",
  "do",
  "does",
  "is",
  "are",
  "my",
  "to",
  "how",
  "many",
]);

/** The words of a search in lower case, without plurals, and with the words of types that mean the same. */
function wordsOf(search: string): readonly string[] {
  const said = search
    .toLowerCase()
    .replace(/sign[ -]ups?/g, "signup")
    .split(/[^\p{L}\p{N}_]+/u)
    .filter((word) => word !== "" && !stopWords.has(word))
    .map((word) => (word.length > 4 ? word.replace(/ies$/, "y").replace(/s$/, "") : word));
  const meant = Object.entries(meanings).flatMap(([word, others]) =>
    said.some((one) =>
      others.some((other) => other === one || (one.length > 3 && (other.startsWith(one) || one.startsWith(other)))),
    )
      ? [word]
      : [],
  );
  return [...new Set([...said, ...meant])];
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

/** Sign-ups and orders are not counted by most types: a tool of their own splits them by what brought the visitors. */
function toolFor(words: readonly string[]): string | undefined {
  const splits = ["campaign", "source", "referrer", "channel", "country"];
  const isSplit = words.includes("event") && splits.some((word) => words.includes(word));
  if (!words.includes("goal") && !isSplit) return undefined;
  return "The tool goals counts sign-ups, orders and other goals, with splitBy such as utm_campaign; the tool funnel counts steps. The type custom_events lists the names of events.";
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
