import { nearestName } from "../nearestName.ts";

/** The mistake of a test that gives a name which does not exist. `shown` is the name with what it belongs to. */
export function unknownName(kind: string, shown: string, name: string, known: readonly string[]): TypeError {
  const meant = nearestName(name, known);
  return new TypeError(`There is no ${kind} ${shown}${meant === undefined ? "" : `; did you mean ${meant}?`}`);
}
