/** An escape of JSON (RFC 8259, section 7): a pair of surrogates, one that stands alone, or any other. */
const escapes = /\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[dD][89a-fA-F][0-9a-fA-F]{2}|[\s\S])/g;

/** An escaped surrogate, alone or in a pair. */
const surrogate = /\\u[dD][89a-fA-F]/;

/**
 * A JSON text in which each escaped half of a character became U+FFFD, as decoders make of bytes that are not UTF-8. A page that cuts a
 * title by length sends such halves, and its events must not be lost for that.
 */
export function withoutLoneSurrogates(json: string): string {
  if (!surrogate.test(json)) return json;
  return json.replaceAll(escapes, (found) => (found.length === 6 ? "\\ufffd" : found));
}
