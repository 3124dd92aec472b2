/** The text, cut to so many UTF-16 units but never within a character; undefined for what is missing or empty. */
export function storedText(text: string | undefined, maxLength: number): string | undefined {
  if (text === undefined || text === "") return undefined;
  if (text.length <= maxLength) return text;
  const lastUnit = text.charCodeAt(maxLength - 1);
  const splitsPair = lastUnit >= 0xd800 && lastUnit <= 0xdbff;
  return text.slice(0, splitsPair ? maxLength - 1 : maxLength);
}
