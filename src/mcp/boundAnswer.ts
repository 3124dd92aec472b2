import { everyText } from "./answerTexts.ts";
import type { JsonObject } from "./tools/tool.ts";

/** A list with items, the length of its JSON, and how many levels of lists are in it. */
type List = { readonly path: string; readonly items: unknown[]; readonly characters: number; readonly height: number };

/** A longer text is cut; what assistants need of one is at its beginning. */
const mostTextCharacters = 4_000;

/** What is left of a list: its beginning, or its end where its items are by time. */
type Cut = { readonly of: number; kept: number; readonly isByTime: boolean };

/**
 * The answer with at most so many characters as JSON: the longest lists lose their last items until it fits, rows by
 * time their first, since the newest matter. A note says what was left out and `howToGetMore`, and `hasMore` beside such
 * a list is true.
 */
export function boundAnswer(answer: JsonObject, maxCharacters: number, howToGetMore: string): JsonObject {
  if (JSON.stringify(answer).length <= maxCharacters) return answer;
  const copy = everyText(answer, shortText) as Record<string, unknown>;
  const limit = maxCharacters - roomForNote - howToGetMore.length;
  const cuts = new Map<string, Cut>();
  for (let length = JSON.stringify(copy).length; length > limit; length = JSON.stringify(copy).length) {
    const lists = listsToCut(listsIn(copy, ""), length - limit);
    if (lists.length === 0) break;
    const room = roomForEach(lists, length - limit);
    for (const { path, items, characters } of lists) {
      if (characters <= room) continue;
      const isByTime = isOldestFirst(items);
      const kept = Math.min(items.length - 1, fitting(isByTime ? items.toReversed() : items, room));
      cutTo(kept, { path, items, isByTime }, cuts);
    }
    pairUp(listsIn(copy, ""), cuts);
  }
  sayMore(copy, "", cuts);
  const texts = [...cuts]
    .slice(0, 5)
    .map(([path, { of, kept, isByTime }]) => `${path}: ${isByTime ? "the newest " : ""}${kept} of ${of}`);
  return { ...copy, note: `The answer was too long, so items were left out (${texts.join("; ")}). ${howToGetMore}` };
}

type CutList = Pick<List, "path" | "items"> & Pick<Cut, "isByTime">;

function cutTo(kept: number, { path, items, isByTime }: CutList, cuts: Map<string, Cut>): void {
  cuts.set(path, { of: cuts.get(path)?.of ?? items.length, kept, isByTime });
  if (isByTime) items.splice(0, items.length - kept);
  else items.length = kept;
}

/** Rows and those to compare with have their places in common, so both lose the same. */
function pairUp(lists: readonly List[], cuts: Map<string, Cut>): void {
  for (const one of lists) {
    const other = lists.find(({ path }) => path === one.path.replace(/rows$/, "comparison.rows"));
    if (other === undefined || other === one || one.items.length === other.items.length) continue;
    const [longer, shorter] = one.items.length > other.items.length ? [one, other] : [other, one];
    cutTo(shorter.items.length, { ...longer, isByTime: isOldestFirst(longer.items) }, cuts);
  }
}

/** What a note has at most beside how to get more. */
const roomForNote = 350;

/** Rows such as those of events_by_date. */
function isOldestFirst(items: readonly unknown[]): boolean {
  const [first, last] = [items[0], items.at(-1)].map((item) => (Object(item) as { date?: unknown }).date);
  return typeof first === "string" && typeof last === "string" && first < last;
}

/** How many of the first items have at most so many characters together. */
function fitting(items: readonly unknown[], room: number): number {
  let characters = 2;
  for (const [index, item] of items.entries()) {
    characters += JSON.stringify(item).length + 1;
    if (characters > room) return index;
  }
  return items.length;
}

/** Sets `hasMore` of objects whose rows were cut. */
function sayMore(value: unknown, path: string, cuts: ReadonlyMap<string, Cut>): void {
  if (typeof value !== "object" || value === null) return;
  for (const [place, member] of membersOf(value, path)) {
    if (cuts.has(place) && "hasMore" in value) value.hasMore = true;
    sayMore(member, place, cuts);
  }
}

/**
 * The innermost lists, such as those of events of sessions. If losing all of these is not enough, the lists that hold
 * them, and so on: of these as many items stay whole as fit.
 */
function listsToCut(lists: readonly List[], excess: number): readonly List[] {
  const highest = Math.max(0, ...lists.map(({ height }) => height));
  for (let height = 0; height < highest; height += 1) {
    const found = outermost(lists, height);
    if (found.reduce((sum, { characters }) => sum + characters, 0) > excess) return found;
  }
  return outermost(lists, highest);
}

/** The lists of at most this height that are in no other such list. Lists come after those that they are in. */
function outermost(lists: readonly List[], height: number): List[] {
  const found: List[] = [];
  for (const list of lists)
    if (list.height <= height && !list.path.startsWith(`${found.at(-1)?.path ?? "\0"}[`)) found.push(list);
  return found;
}

/** The characters that each list may have, so that the longer ones together lose so many. */
function roomForEach(lists: readonly List[], excess: number): number {
  const lengths = lists.map(({ characters }) => characters).sort((a, b) => b - a);
  let ofLonger = 0;
  for (const [index, length] of lengths.entries()) {
    ofLonger += length;
    const room = (ofLonger - excess) / (index + 1);
    if (room >= (lengths[index + 1] ?? 0)) return Math.max(0, Math.floor(room));
  }
  return 0;
}

/** All lists with items, with their paths, each before those in it. */
function listsIn(value: unknown, path: string): List[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = membersOf(value, path).flatMap(([place, member]) => listsIn(member, place));
  if (!Array.isArray(value) || value.length === 0) return inner;
  const height = inner.reduce((most, list) => Math.max(most, list.height + 1), 0);
  return [{ path, items: value, characters: JSON.stringify(value).length, height }, ...inner];
}

/** The members of an object or items of a list, with their paths. */
function membersOf(value: object, path: string): [string, unknown][] {
  return Object.entries(value).map(([name, member]) => [
    Array.isArray(value) ? `${path}[${name}]` : path === "" ? name : `${path}.${name}`,
    member,
  ]);
}

function shortText(text: string): string {
  return text.length > mostTextCharacters ? `${text.slice(0, mostTextCharacters)}…` : text;
}
