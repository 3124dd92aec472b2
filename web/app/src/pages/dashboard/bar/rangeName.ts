import type { Range } from "../../../figures/range.ts";
import { formatDay, formatDays } from "../../../texts/format.ts";
import type { Texts } from "../../../texts/texts.ts";

export function rangeName(range: Range, { dashboard }: Pick<Texts, "dashboard">): string {
  if ("preset" in range) return dashboard.ranges[range.preset];
  return range.from === range.to ? formatDay(range.from) : formatDays(range.from, range.to);
}
