import { type Figures, figuresOf } from "./dayFiguresSql.ts";

/** The visitors of a day with one value of a field. */
export type Group = { readonly value: string; readonly figures: Figures };

/** The groups of a day: those that are large enough each, and all others together. */
export type DayGroups = {
  /** All visitors of the day. */
  readonly visitors: number;
  readonly large: readonly Group[];
  /** Undefined without any. */
  readonly small: Figures | undefined;
};

export type ShownGroups = { readonly groups: readonly Group[]; readonly other: Figures | undefined };

/**
 * What is shown of a day: its large groups, and one group of all others. The total less the large groups gives this group, so it needs at least
 * `smallest` visitors too. If it has fewer, the smallest of the large groups is added to it. A visitor may be in several groups, as of pages;
 * at least so many are in the others as the day has more visitors than the shown groups have together.
 */
export function shownGroups({ visitors, large, small }: DayGroups, smallest: number): ShownGroups {
  if (visitors < smallest) return { groups: [], other: undefined };
  if (small === undefined) return { groups: large, other: undefined };
  const shown = large.reduce((sum, { figures }) => sum + figures.visitors, 0);
  if (visitors - shown >= smallest) return { groups: large, other: small };
  const [least, ...groups] = large.toSorted(
    (one, other) => one.figures.visitors - other.figures.visitors || (one.value < other.value ? -1 : 1),
  );
  return { groups, other: least && added(small, least.figures) };
}

/** Page views are rounded as if a visitor had so many, which few have: so what they gain at once is seldom one visitor's. */
const pageViewsOfVisitor = 10;

/**
 * What is shown of the totals of a day that is not over: rounded down, so that no figure grows with each visitor. What rates are computed from is
 * left out, since their changes have no steps. Undefined with too few visitors.
 */
export function unfinishedTotals(figures: Figures, smallest: number): Figures | undefined {
  if (figures.visitors < smallest) return undefined;
  return {
    ...figuresOf(() => 0),
    visitors: roundedDown(figures.visitors, smallest),
    page_views: roundedDown(figures.page_views, pageViewsOfVisitor * smallest),
    sessions: roundedDown(figures.sessions, smallest),
  };
}

export function roundedDown(count: number, step: number): number {
  return count - (count % step);
}

/** The sums of the figures of both. */
export function added(one: Figures | undefined, other: Figures): Figures {
  return one === undefined ? other : figuresOf((column) => one[column] + other[column]);
}
