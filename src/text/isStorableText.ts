/** Whether PostgreSQL can store a text as JSON: it accepts neither U+0000 nor half of a surrogate pair. */
export function isStorableText(text: string): boolean {
  return !text.includes("\u0000") && text.isWellFormed();
}

export const unstorableText = "must be text without the character U+0000 and without lone surrogates";
