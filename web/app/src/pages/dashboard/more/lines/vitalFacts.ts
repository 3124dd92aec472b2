import { formatCount } from "../../../../texts/format.ts";
import type { Texts } from "../../../../texts/texts.ts";
import { formatVital, ratingOf, type Vital, vitalNames } from "../vitalRating.ts";
import type { Fact } from "./fact.ts";

type Row = { readonly metric_name: string; readonly p75: number | null };

/** The core figures, which the line names. */
const named: readonly Vital[] = ["LCP", "INP", "CLS"];

/** How many of the measured figures are good, and the core figures. Empty if nothing was measured. */
export function vitalFacts(rows: readonly Row[], { lines }: Texts): Fact[] {
  const measured = vitalNames.flatMap((name) => {
    const p75 = rows.find(({ metric_name }) => metric_name === name)?.p75 ?? null;
    return p75 === null ? [] : [{ name, p75 }];
  });
  if (measured.length === 0) return [];
  const good = measured.filter(({ name, p75 }) => ratingOf(name, p75) === "good").length;
  return [
    { key: "good", figure: lines.of(formatCount(good), formatCount(measured.length)), after: lines.good },
    ...measured
      .filter(({ name }) => named.includes(name))
      .map(({ name, p75 }) => ({ key: name, before: name, figure: formatVital(name, p75), value: p75 })),
  ];
}
