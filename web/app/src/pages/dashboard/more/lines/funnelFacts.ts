import { formatCount, formatPercent } from "../../../../texts/format.ts";
import type { Texts } from "../../../../texts/texts.ts";
import type { Fact } from "./fact.ts";

type Answer = {
  readonly steps: readonly { readonly visitors: number }[];
  readonly conversionRate?: number | undefined;
};

/** How many take each step, and which part of the first gets to the end. */
export function funnelFacts({ steps, conversionRate }: Answer, { lines }: Texts): Fact[] {
  const counts = { key: "steps", figure: steps.map(({ visitors }) => formatCount(visitors)).join(" → ") };
  if (conversionRate === undefined) return [counts];
  return [counts, { key: "end", figure: formatPercent(conversionRate), after: lines.reachEnd, value: conversionRate }];
}
