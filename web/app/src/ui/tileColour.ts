/** How many colours the charts have: --series-1 to --series-6. */
const colours = 6;

/** The number of a name's colour, from 1. It is the same wherever the name is shown. */
export function tileColour(name: string): number {
  let sum = 0;
  for (const character of name.trim().toLowerCase()) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return (sum % colours) + 1;
}
