import type { Bindings } from "./bindings.ts";

/** How a text is searched. Letter case counts. `matches` compares all of the text: `*` is any characters, `?` is one. */
export type TextComparison = "contains" | "starts_with" | "ends_with" | "matches";

/**
 * The SQL of a search in a VARCHAR. strpos and starts_with have no wildcards; the other two are regular expressions, which hold for no
 * row without a text.
 */
export function textSql(text: string, comparison: TextComparison, value: string, bindings: Bindings): string {
  switch (comparison) {
    case "contains":
      return `coalesce(strpos(${text}, ${bindings.bind(value)}), 0) > 0`;
    case "starts_with":
      return `starts_with(${text}, ${bindings.bind(value)})`;
    case "ends_with":
      return `${text} ~ ${bindings.bind(`(?s)${literal(value)}\\z`)}`;
    case "matches":
      return `${text} ~ ${bindings.bind(`(?s)\\A${globPattern(value)}\\z`)}`;
  }
}

/** The same for a text in memory. */
export function textMatches(text: string, comparison: TextComparison, value: string): boolean {
  switch (comparison) {
    case "contains":
      return text.includes(value);
    case "starts_with":
      return text.startsWith(value);
    case "ends_with":
      return text.endsWith(value);
    case "matches":
      return globMatches(Array.from(text), Array.from(value));
  }
}

/** Why a text cannot be searched so; undefined where it can. Java's matcher calls itself once for each wildcard. */
export function searchProblem(comparison: string, value: string): string | undefined {
  if (comparison !== "matches" || value.replaceAll(/[^*?]/g, "").length <= maxWildcards) return undefined;
  return `must have at most ${maxWildcards} of the characters * and ?`;
}

const maxWildcards = 100;

/**
 * A text with `*` and `?` as a pattern of Java. Each part between two `*` is taken where it occurs first, and the atomic groups keep the
 * matcher from trying other places: that finds nothing more, and would take hours for some texts.
 */
function globPattern(glob: string): string {
  const [first = "", ...others] = glob.split(/\*+/).map((part) => part.split("?").map(literal).join("."));
  const last = others.pop();
  if (last === undefined) return first;
  return `${first}${others.map((part) => `(?>.*?${part})`).join("")}.*${last}`;
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

/** Goes back to the last `*` only, for the same reason. */
function globMatches(text: readonly string[], glob: readonly string[]): boolean {
  let [at, next] = [0, 0];
  /** Where the last `*` is, and how far it reaches. */
  let [star, reach] = [-1, 0];
  while (at < text.length) {
    if (glob[next] === "*") {
      star = next;
      reach = at;
      next += 1;
    } else if (glob[next] === "?" || glob[next] === text[at]) {
      at += 1;
      next += 1;
    } else {
      if (star < 0) return false;
      reach += 1;
      at = reach;
      next = star + 1;
    }
  }
  return glob.slice(next).every((character) => character === "*");
}
