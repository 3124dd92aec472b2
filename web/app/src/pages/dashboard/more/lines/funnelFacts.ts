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

type NamedFunnel = { readonly name: string; readonly conversionRate: number | undefined };

/** Which part gets to the end of each funnel, and how many further funnels there are. */
export function funnelsFacts(said: readonly NamedFunnel[], others: number, { lines }: Texts): Fact[] {
  const facts = said.map(({ name, conversionRate }): Fact => {
    const figure = conversionRate === undefined ? "–" : formatPercent(conversionRate);
    return { key: name, before: name, figure, ...(conversionRate === undefined ? {} : { value: conversionRate }) };
  });
  return others === 0 ? facts : [...facts, { key: "others", figure: lines.otherFunnels(others) }];
}
