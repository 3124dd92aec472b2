/** The name that was probably meant: the one with the fewest changes, if they are few. */
export function nearestName(text: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((name) => ({ name, changes: changesBetween(text.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.changes - b.changes);
  return best !== undefined && best.changes <= Math.ceil(text.length / 3) ? best.name : undefined;
}

/** How many letters have to be added, removed or replaced to make one text the other. */
function changesBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [line, letter] of [...one].entries()) {
    const next = [line + 1];
    for (const [column, wanted] of [...other].entries()) {
      const [left = 0, up = 0, corner = 0] = [next[column], row[column + 1], row[column]];
      next.push(Math.min(left + 1, up + 1, corner + (letter === wanted ? 0 : 1)));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
