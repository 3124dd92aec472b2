import { storedText } from "./storedText.ts";

/**
 * Text of a program, such as a stack, without the parts of its addresses that may identify a person: query strings,
 * fragments, users and passwords. Line and column after an address stay. Limited in UTF-16 units before and after, so
 * that a long text costs no more than a short one.
 */
export function cutAddresses(text: string | undefined, maxLength: number): string | undefined {
  // Four times the limit, so that text with long addresses still fills it after they were cut.
  const read = storedText(text, 4 * maxLength);
  return storedText(
    read?.replace(/[^\s"'`()<>]+/g, (word) => cutAddress(word)),
    maxLength,
  );
}

/** A word with a slash and then a query string or fragment is an address, absolute or a path. */
function cutAddress(word: string): string {
  const slashAt = word.indexOf("/");
  if (slashAt < 0) return word;
  const address = word.replace(/\/\/[^/@]*@/, "//");
  const queryAt = address.slice(slashAt).search(/[?#]/);
  if (queryAt < 0) return address;
  const query = address.slice(slashAt + queryAt);
  const position = /(?::\d+){1,2}$/.exec(query)?.[0] ?? "";
  return `${address.slice(0, slashAt + queryAt)}${position}`;
}
