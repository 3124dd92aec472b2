/**
 * The names of an answer's members, at every depth, as `links[].id`. Of a list only those of its first item: further ones may lack some. Values differ between runs,
 * and null may be an object in the next one, so neither counts.
 */
export function membersOf(body: unknown): string[] {
  if (Array.isArray(body)) return membersOf(body[0]).map((name) => `[].${name}`);
  if (typeof body !== "object" || body === null) return [];
  return Object.entries(body)
    .flatMap(([name, member]) => [name, ...membersOf(member).map((below) => `${name}.${below}`)])
    .toSorted();
}
