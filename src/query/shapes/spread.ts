import { rounded } from "../../text/rounded.ts";

/** Where values lie. Of two middle values the median is their mean. */
export type Spread = { readonly median: number; readonly lowest: number; readonly highest: number };

/** The spread of values; undefined without any. */
export function spreadOf(values: readonly number[]): Spread | undefined {
  const sorted = values.toSorted((one, other) => one - other);
  const [lowest] = sorted;
  const highest = sorted.at(-1);
  if (lowest === undefined || highest === undefined) return undefined;
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
  const median = rounded(middle.reduce((sum, value) => sum + value, 0) / middle.length);
  return { median, lowest, highest };
}
