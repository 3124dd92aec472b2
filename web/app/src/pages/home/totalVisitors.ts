import type { SiteFigures } from "./siteFigures.ts";

export type TotalVisitors = { readonly visitors: number; readonly before: number | null };

/**
 * The visitors of all websites; undefined until each is known. Websites without any event add none. `before` is null unless all that
 * have visitors may be compared.
 */
export function totalVisitors(all: readonly (SiteFigures | undefined)[]): TotalVisitors | undefined {
  let visitors = 0;
  let before: number | null = 0;
  for (const figures of all) {
    if (figures === undefined) return undefined;
    if (figures.isEmpty) continue;
    if (figures.visitors === null) return undefined;
    visitors += figures.visitors;
    before = before === null || figures.before === null ? null : before + figures.before;
  }
  return { visitors, before };
}
