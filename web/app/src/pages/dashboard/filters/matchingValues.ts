/** A known value and the name that it is shown under. */
export type KnownValue = { readonly value: string; readonly name: string };

/** Values that are found: those whose name or value has the text in it, in either letter case, without the chosen ones; each once. */
export function matchingValues(
  known: readonly KnownValue[],
  text: string,
  chosen: readonly string[],
  most: number,
): readonly KnownValue[] {
  const wanted = text.trim().toLowerCase();
  const seen = new Set(chosen);
  const found: KnownValue[] = [];
  for (const one of known) {
    if (found.length === most) break;
    if (seen.has(one.value) || !`${one.name}\n${one.value}`.toLowerCase().includes(wanted)) continue;
    seen.add(one.value);
    found.push(one);
  }
  return found;
}
