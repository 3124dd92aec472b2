/** How a website's paths are stored: whether `/a/` is `/a`, and which query parameters belong to a page. */
export type PathRules = { readonly trailingSlash: "keep" | "remove"; readonly queryParameters: readonly string[] };

/** A path in its one spelling and its query string, as these rules store them. */
export function ruledPath(path: string, query: string, { trailingSlash, queryParameters }: PathRules): string {
  const plain = trailingSlash === "remove" && path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
  if (queryParameters.length === 0 || query === "") return plain;
  const sent = new URLSearchParams(query);
  // In one order, so that ?a=1&b=2 and ?b=2&a=1 are one page; of several values of one name the first.
  const kept = queryParameters.flatMap((name) => {
    const value = sent.get(name);
    return value === null ? [] : [[name, value]];
  });
  return kept.length === 0 ? plain : `${plain}?${new URLSearchParams(kept)}`;
}

/**
 * The one spelling of a path: characters that are escaped without need are themselves, and the other escapes are in upper case. `/caf%c3%a9` is
 * `/café`. A `/`, `?`, `#` or `%` stays escaped, since it would mean something else (RFC 3986, section 2.2), and so do control characters
 * and what is not UTF-8.
 */
export function plainPath(path: string): string {
  return path.includes("%") ? path.replaceAll(escapes, plainCharacter) : path;
}

/** The spellings of a path, or of a part of one, that rows may have: rows from before paths had one spelling have that of their sender. */
export function pathSpellings(path: string): readonly string[] {
  const plain = plainPath(path);
  return [...new Set([plain, path, browserPath(plain)])];
}

/** As browsers escape it. */
function browserPath(plain: string): string {
  return plain.toWellFormed().replaceAll(/[^\x21-\x7e]|["<>`{}]/gu, encodeURIComponent);
}

/** One escaped character of one to four bytes, or one byte. */
const escapes = /%[c-d][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-4](?:%[89ab][\da-f]){3}|%[\da-f]{2}/gi;

const escapedAlways = /[/?#%\p{Cc}\u2028\u2029]/u;

function plainCharacter(escaped: string): string {
  try {
    const character = decodeURIComponent(escaped);
    return escapedAlways.test(character) ? escaped.toUpperCase() : character;
  } catch {
    return escaped.toUpperCase();
  }
}
