/** The text, cut to so many UTF-16 units but never within a character; undefined for what is missing or empty. */
export function storedText(text: string | undefined, maxLength: number): string | undefined {
  if (text === undefined || text === "") return undefined;
  if (text.length <= maxLength) return text;
  const lastUnit = text.charCodeAt(maxLength - 1);
  const splitsPair = lastUnit >= 0xd800 && lastUnit <= 0xdbff;
  return text.slice(0, splitsPair ? maxLength - 1 : maxLength);
}

/** The same; a text that had to be cut is noted in `shortened`, from which its sender is told. */
export function shortenedText(
  text: string | undefined,
  maxLength: number,
  field: string,
  shortened: string[],
): string | undefined {
  if (text !== undefined && text.length > maxLength) shortened.push(`${field} to ${maxLength} characters`);
  return storedText(text, maxLength);
}
