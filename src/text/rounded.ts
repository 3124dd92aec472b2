/** To eight places: a call of a language model may cost a millionth of a dollar. */
export function finelyRounded(value: number): number {
  return Math.round(value * 1e8) / 1e8;
}

/** To two places, as most decimals of answers are. */
export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
