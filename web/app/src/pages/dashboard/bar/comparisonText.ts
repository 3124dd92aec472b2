import { formatDays } from "../../../texts/format.ts";
import type { Texts } from "../../../texts/texts.ts";
import type { ComparedWith } from "../view/comparison.ts";

/** The other period in words, such as "vs 4 weeks before". */
export function comparisonText(other: ComparedWith, { bar }: Pick<Texts, "bar">): string {
  switch (other.kind) {
    case "days":
    case "weeks":
      return bar.versus[other.kind](other.count);
    case "own":
      return bar.versus.own(formatDays(other.from, other.to));
    default:
      return bar.versus[other.kind];
  }
}
