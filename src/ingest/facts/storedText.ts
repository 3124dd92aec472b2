/** The text, cut to a length in UTF-16 units but never within a character; undefined for missing or empty text. */
export function storedText(text: string | undefined, maxLength: number): string | undefined {
  if (text === undefined || text === "") return undefined;
  if (text.length <= maxLength) return text;
  const lastUnit = text.charCodeAt(maxLength - 1);
  const splitsPair = lastUnit >= 0xd800 && lastUnit <= 0xdbff;
  return text.slice(0, splitsPair ? maxLength - 1 : maxLength);
}

/** The same; a text that was cut is added to `shortened`, which is reported to its sender. */
export function shortenedText(
  text: string | undefined,
  maxLength: number,
  field: string,
  shortened: string[],
): string | undefined {
  if (text !== undefined && text.length > maxLength) shortened.push(`${field} to ${maxLength} characters`);
  return storedText(text, maxLength);
}
