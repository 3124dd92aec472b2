import type { ComparedRows } from "../../../../../../packages/client-js/src/query.ts";
import type { ViewFilter } from "../view/filter.ts";
import { excludePageViews } from "../view/pageViews.ts";
import { type AnyRow, figureOf, type PanelColumn, type PanelList } from "./panelTypes.ts";

/** A row with that of the other period; null if the two must not be compared. */
export type ShownRow = { readonly row: AnyRow; readonly before: object | null };

/** Rows in the order of a list, each with the one that it is compared with. */
export function sortedRows(
  list: PanelList,
  rows: readonly AnyRow[],
  comparison: Pick<ComparedRows<AnyRow>, "isComplete" | "data"> | undefined,
): ShownRow[] {
  const others = comparison?.isComplete === true ? comparison.data : [];
  const fields = list.columns.map(({ field }) => field);
  return rows
    .map((row, index) => ({ row, before: others[index] ?? null }))
    .sort((one, other) => {
      const differences = fields.map((field) => (figureOf(other.row, field) ?? 0) - (figureOf(one.row, field) ?? 0));
      return differences.find((difference) => difference !== 0) ?? 0;
    });
}

/** The columns that have a meaning with these filters. */
export function columnsOf({ columns }: PanelList, filters: readonly ViewFilter[]): readonly PanelColumn<AnyRow>[] {
  return columns.filter(({ isOfPageViews }) => isOfPageViews !== true || !excludePageViews(filters));
}

/** Whether a list is about page views and filters select none. */
export function lacksPageViews({ isOfPageViews }: PanelList, filters: readonly ViewFilter[]): boolean {
  return isOfPageViews === true && excludePageViews(filters);
}

/**
 * Whether the first rows of the service's order surely have the `wanted` rows with the most visitors: all rows are here, or no later one can have as
 * many, since a row has no more visitors than views, events or sessions.
 */
export function haveMost(list: PanelList, rows: readonly AnyRow[], wanted: number, limit: number): boolean {
  if (rows.length < limit) return true;
  const [main] = list.columns;
  const last = rows.at(-1);
  if (main === undefined || last === undefined) return true;
  const most = rows.map((row) => figureOf(row, main.field) ?? 0).sort((one, other) => other - one);
  return (most[wanted - 1] ?? 0) >= (figureOf(last, list.servedBy) ?? 0);
}

/** Percent of the visitors of the whole range; null if these are unknown or none. */
export function shareOf(visitors: number | null, all: number | null | undefined): number | null {
  if (visitors === null || all === null || all === undefined || all === 0) return null;
  // A newer answer may count a visitor more than an older one.
  return Math.min(100, (100 * visitors) / all);
}
