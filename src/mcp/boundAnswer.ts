import type { JsonObject } from "./tools/tool.ts";

/** A list, and the length of its JSON without the lists in it. */
type List = { readonly path: string; readonly items: unknown[]; readonly ownCharacters: number };

/** A longer text is cut; what assistants need of one is at its beginning. */
const mostTextCharacters = 4_000;

/**
 * The answer with at most so many characters as JSON: the longest lists lose their last items until it fits. A note
 * says what was left out and `howToGetMore`.
 */
export function boundAnswer(answer: JsonObject, maxCharacters: number, howToGetMore: string): JsonObject {
  if (JSON.stringify(answer).length <= maxCharacters) return answer;
  const copy = withShortTexts(answer) as Record<string, unknown>;
  const roomForNote = 1_000;
  const limit = maxCharacters - roomForNote;
  const cuts = new Map<string, { readonly of: number; kept: number }>();
  for (let length = JSON.stringify(copy).length; length > limit; length = JSON.stringify(copy).length) {
    const longest = listsIn(copy, "").sort((a, b) => b.ownCharacters - a.ownCharacters)[0];
    if (longest === undefined) break;
    const { path, items } = longest;
    const characters = JSON.stringify(items).length;
    const enough = Math.floor(items.length * (1 - (length - limit) / characters));
    // Half at most, so that several long lists share the room.
    const kept = Math.min(items.length - 1, Math.max(enough, Math.floor(items.length / 2)));
    cuts.set(path, { of: cuts.get(path)?.of ?? items.length, kept });
    items.length = kept;
  }
  const texts = [...cuts].slice(0, 5).map(([path, { of, kept }]) => `${path}: ${kept} of ${of}`);
  return { ...copy, note: `The answer was too long, so items were left out (${texts.join("; ")}). ${howToGetMore}` };
}

/** All lists with items, with their paths. */
function listsIn(value: unknown, path: string): List[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.entries(value).flatMap(([name, member]) =>
    listsIn(member, Array.isArray(value) ? `${path}[${name}]` : path === "" ? name : `${path}.${name}`),
  );
  if (!Array.isArray(value) || value.length === 0) return inner;
  const innerCharacters = inner.reduce((sum, { ownCharacters }) => sum + ownCharacters, 0);
  return [{ path, items: value, ownCharacters: JSON.stringify(value).length - innerCharacters }, ...inner];
}

function withShortTexts(value: unknown): unknown {
  if (typeof value === "string")
    return value.length > mostTextCharacters ? `${value.slice(0, mostTextCharacters)}…` : value;
  if (Array.isArray(value)) return value.map(withShortTexts);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withShortTexts(member)]));
}
