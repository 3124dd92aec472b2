/** A name that was sent in the last 30 days, and how often. */
export type KnownName = { readonly name: string; readonly count: number };

/** A name that was never sent, and the one that was probably meant. */
export type Unsent = { readonly name: string; readonly meant: string | undefined };

/** As many names as are asked for: beyond them nothing is known. */
export const mostNames = 500;

/**
 * What to say about a name in a form: undefined if it was sent, if it is empty, or if that is not known. A page that ends in * was sent if any page
 * begins so.
 */
export function unsentName(text: string, known: readonly KnownName[] | undefined): Unsent | undefined {
  const name = text.trim();
  if (name === "" || known === undefined || known.length >= mostNames) return undefined;
  const isSent = name.endsWith("*")
    ? known.some((one) => one.name.startsWith(name.slice(0, -1)))
    : known.some((one) => one.name === name);
  return isSent ? undefined : { name, meant: nearest(name, known) };
}

/** The nearest name, if not more than a third of the letters differ; of several the most frequent one. */
function nearest(name: string, known: readonly KnownName[]): string | undefined {
  const most = Math.max(1, Math.floor(name.length / 3));
  const [best] = known
    .map((one) => ({ ...one, distance: distance(name.toLowerCase(), one.name.toLowerCase()) }))
    .filter((one) => one.distance <= most)
    .sort((one, other) => one.distance - other.distance || other.count - one.count);
  return best?.name;
}

/** How many letters have to be inserted, removed or replaced (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [at, wanted] of [...other].entries())
      next.push(Math.min((row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1, (row[at] ?? 0) + (letter === wanted ? 0 : 1)));
    row = next;
  }
  return row.at(-1) ?? 0;
}
