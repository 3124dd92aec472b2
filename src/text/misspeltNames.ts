import { distance } from "fastest-levenshtein";
import { nearest } from "./nearest.ts";

/** First words of settings that other programs use too. */
const wordsOfOthers = new Set([
  "CACHE",
  "DATABASE",
  "KAFKA",
  "KEY",
  "LOG",
  "MAX",
  "OIDC",
  "OTEL",
  "SMTP",
  "TEMPORAL",
  "TLS",
]);
/** What Kubernetes and Docker set for a service with such a name. */
const ofService = /_(?:SERVICE_(?:HOST|PORT)|PORT)(?:_|$)/;
/** A shorter name is close to too many others. */
const minLength = 8;

/**
 * The variables of the environment that look like a setting and are none, each with the setting that was probably meant. They are within
 * two letters of one, or begin with a word with which at least two settings begin, such as RETENTION.
 */
export function misspeltNames(
  given: Readonly<Record<string, string | undefined>>,
  known: ReadonlySet<string>,
): readonly { readonly name: string; readonly meant: string | undefined }[] {
  const words = [...known].map(firstWord);
  const isOurs = (word: string) => !wordsOfOthers.has(word) && words.filter((each) => each === word).length > 1;
  const isClose = (name: string) =>
    name.length >= minLength && [...known].some((each) => each.length >= minLength && distance(name, each) <= 2);
  return Object.keys(given)
    .filter((name) => /^[A-Z][A-Z0-9_]*$/.test(name) && Boolean(given[name]) && !known.has(name))
    .filter((name) => !ofService.test(name) && ((name.includes("_") && isOurs(firstWord(name))) || isClose(name)))
    .map((name) => ({ name, meant: nearest(name, known) }));
}

function firstWord(name: string): string {
  return name.split("_", 1)[0] ?? name;
}
