import type { JsonObject } from "./tools/tool.ts";

/** A list, and the length of its JSON without the lists in it. */
type List = {
  readonly path: string;
  readonly items: unknown[];
  readonly ownCharacters: number;
  readonly holdsLists: boolean;
};

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
    const lists = listsToCut(listsIn(copy, ""), length - limit);
    if (lists.length === 0) break;
    const room = roomForEach(lists, length - limit);
    for (const { path, items, ownCharacters } of lists) {
      if (ownCharacters <= room) continue;
      const kept = Math.min(items.length - 1, Math.floor((items.length * room) / ownCharacters));
      cuts.set(path, { of: cuts.get(path)?.of ?? items.length, kept });
      items.length = kept;
    }
  }
  const texts = [...cuts].slice(0, 5).map(([path, { of, kept }]) => `${path}: ${kept} of ${of}`);
  return { ...copy, note: `The answer was too long, so items were left out (${texts.join("; ")}). ${howToGetMore}` };
}

/** Those that hold no lists, such as the rows of each type; all of them if that is not enough. */
function listsToCut(lists: readonly List[], excess: number): readonly List[] {
  const innermost = lists.filter(({ holdsLists }) => !holdsLists);
  return innermost.reduce((sum, { ownCharacters }) => sum + ownCharacters, 0) > excess ? innermost : lists;
}

/** The characters that each list may have, so that the longer ones together lose so many. */
function roomForEach(lists: readonly List[], excess: number): number {
  const lengths = lists.map(({ ownCharacters }) => ownCharacters).sort((a, b) => b - a);
  let ofLonger = 0;
  for (const [index, length] of lengths.entries()) {
    ofLonger += length;
    const room = (ofLonger - excess) / (index + 1);
    if (room >= (lengths[index + 1] ?? 0)) return Math.max(0, Math.floor(room));
  }
  return 0;
}

/** All lists with items, with their paths. */
function listsIn(value: unknown, path: string): List[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.entries(value).flatMap(([name, member]) =>
    listsIn(member, Array.isArray(value) ? `${path}[${name}]` : path === "" ? name : `${path}.${name}`),
  );
  if (!Array.isArray(value) || value.length === 0) return inner;
  const innerCharacters = inner.reduce((sum, { ownCharacters }) => sum + ownCharacters, 0);
  const ownCharacters = JSON.stringify(value).length - innerCharacters;
  return [{ path, items: value, ownCharacters, holdsLists: inner.length > 0 }, ...inner];
}

function withShortTexts(value: unknown): unknown {
  if (typeof value === "string")
    return value.length > mostTextCharacters ? `${value.slice(0, mostTextCharacters)}…` : value;
  if (Array.isArray(value)) return value.map(withShortTexts);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withShortTexts(member)]));
}
