import { LookoutError } from "./lookoutError.ts";

/**
 * A key as it is sent in a header. Throws a VALIDATION_ERROR that names apiKey, and never its text, when it has characters that no key has and no
 * header takes, such as the line break at the end of a file.
 */
export function readApiKey(apiKey: string | undefined): string | undefined {
  if (apiKey === undefined) return undefined;
  const problem = problemOf(apiKey);
  if (problem === undefined) return apiKey;
  throw new LookoutError("VALIDATION_ERROR", `apiKey ${problem}`, { details: [{ field: "apiKey", message: problem }] });
}

function problemOf(apiKey: unknown): string | undefined {
  if (typeof apiKey !== "string")
    return `must be a string, not ${apiKey === null ? "null" : `of type ${typeof apiKey}`}`;
  const place = apiKey.search(/[^\x21-\x7e]/);
  if (place < 0) return undefined;
  const letter = apiKey.codePointAt(place) ?? 0;
  const named = names.get(letter) ?? `the character U+${letter.toString(16).toUpperCase().padStart(4, "0")}`;
  const isAround = /^[\x21-\x7e]+$/.test(apiKey.trim());
  return `has ${named} at place ${place + 1}, which no key has${isAround ? ". Remove it with trim()" : ""}`;
}

const names: ReadonlyMap<number, string> = new Map([
  [0x0a, "a line break"],
  [0x0d, "a line break"],
  [0x20, "a space"],
  [0x09, "a tab"],
]);
