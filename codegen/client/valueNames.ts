/** The name of all values of a set: of `LinkMetric` `LINK_METRICS`, of `Role` `ROLES`. */
export function constantName(name: string): string {
  return plural(name)
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, "_")
    .toUpperCase();
}

/** `LinkMetric` as `LinkMetrics`, `LinkStatus` as `LinkStatuses`. */
export function plural(name: string): string {
  if (/Data$/.test(name)) return name;
  if (/(?:s|ch|sh)$/.test(name)) return `${name}es`;
  return /[^aeiou]y$/.test(name) ? `${name.slice(0, -1)}ies` : `${name}s`;
}

/**
 * Values with the words of their names in code: `uniqueVisitors` has `unique`, `Visitors`. Of values with the same words, which are spellings
 * of one thing, the first has the name.
 */
export function namesOfValues(
  values: readonly string[],
): readonly (readonly [words: readonly string[], value: string])[] {
  const named = new Map<string, readonly [readonly string[], string]>();
  for (const value of values) {
    const words = value.split(/[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])/).filter((word) => word !== "");
    const name = words.join(" ").toLowerCase();
    if (!named.has(name)) named.set(name, [words, value]);
  }
  return [...named.values()];
}
