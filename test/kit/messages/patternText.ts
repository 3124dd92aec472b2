import type { Random } from "./random.ts";

const candidates = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:@ é😀"];

/** Text that matches an anchored pattern made of characters, classes and quantifiers, without groups but for one around all that may be left out. */
export function patternText(pattern: string, random: Random): string {
  const optional = /^\^\(([^()]*)\)\?\$$/.exec(pattern)?.[1];
  if (optional !== undefined && random.whole(0, 1) === 0) return "";
  const atoms = (optional ?? pattern.slice(1, -1)).matchAll(
    /(\[(?:\\.|[^\]\\])*\]|\\.|[^()|])(\{(\d+)(,(\d*))?\}|[*+?])?/gu,
  );
  let text = "";
  for (const [, atom = "", quantifier, least = "1", range, greatest] of atoms) {
    const matching = new RegExp(`^${atom}$`, "u");
    const characters = candidates.filter((character) => matching.test(character));
    if (characters.length === 0) characters.push(atom.replace("\\", ""));
    const min = quantifier === undefined ? 1 : quantifier === "+" ? 1 : quantifier.startsWith("{") ? Number(least) : 0;
    const bounded = quantifier === "?" ? 1 : greatest !== undefined && greatest !== "" ? Number(greatest) : undefined;
    const max =
      quantifier === undefined || (quantifier.startsWith("{") && range === undefined) ? min : (bounded ?? min + 5);
    for (let count = random.whole(min, max); count > 0; count--) text += random.pick(characters);
  }
  return text;
}
