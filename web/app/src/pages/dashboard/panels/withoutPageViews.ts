import { excludePageViews } from "../view/pageViews.ts";
import type { TextFilter } from "../view/view.ts";
import type { PanelList } from "./panelTypes.ts";

/** Adapts a list to filters. If they select no page views, its rows show sessions, by which the service does not sort. */
export function listWith(
  list: PanelList,
  filters: readonly TextFilter[],
): PanelList & { readonly isSortedHere: boolean } {
  const { columnsWithoutViews } = list;
  const isSortedHere = columnsWithoutViews !== undefined && excludePageViews(filters);
  return isSortedHere ? { ...list, columns: columnsWithoutViews, isSortedHere } : { ...list, isSortedHere };
}

/** Whether a list is about page views and filters select none. */
export function lacksPageViews({ isOfPageViews }: PanelList, filters: readonly TextFilter[]): boolean {
  return isOfPageViews === true && excludePageViews(filters);
}

/** Indexes of rows in descending order of their columns, the first column first; equal rows keep their order. */
export function orderOf<R>(rows: readonly R[], { columns }: Sorted<R>): number[] {
  const figuresOf = (row: R) => columns.map(({ value }) => value(row) ?? 0);
  const figures = rows.map(figuresOf);
  return rows
    .map((_, index) => index)
    .sort((one, other) => {
      const differences = columns.map((_, at) => (figures[other]?.[at] ?? 0) - (figures[one]?.[at] ?? 0));
      return differences.find((difference) => difference !== 0) ?? 0;
    });
}

type Sorted<R> = { readonly columns: readonly { readonly value: (row: R) => number | null }[] };
