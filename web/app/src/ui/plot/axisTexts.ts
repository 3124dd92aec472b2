/** Texts of an axis without those that say the same as the one before. */
export function unlike(texts: readonly string[]): string[] {
  return texts.map((text, index) => (text === texts[index - 1] ? "" : text));
}
