import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { formatCount } from "../../../../texts/format.ts";
import { region, t } from "../../../../texts/texts.ts";
import { BarTable } from "../../../../ui/barTable.tsx";
import { useDashboard } from "../../context.ts";
import type { FigureColumn } from "../figureColumns.tsx";
import { keyOf, type PanelList } from "../panelTypes.ts";
import { iconFor, mainFigure, rowLink } from "../rowParts.ts";
import type { ShownRow } from "../shownRows.ts";
import { found, inOrder, names, nextSorting, pageOf, type Sorting } from "./sheetRows.ts";

type SheetTableProps = {
  readonly list: PanelList;
  readonly rows: readonly ShownRow[];
  readonly columns: readonly FigureColumn[];
  /** What names must contain. */
  readonly text: string;
  /** Below the rows. */
  readonly children: ComponentChildren;
};

/** Rows by pages, in the order of a column. */
export function SheetTable({ list, rows, columns, text, children }: SheetTableProps) {
  const dashboard = useDashboard();
  const texts = t();
  const sorting = useSignal<Sorting>({ by: list.columns[0]?.field ?? names, isDescending: true });
  const page = useSignal(0);
  const label = ({ row }: ShownRow) => list.label(row, texts);
  const chosen = columns.find(({ id }) => id === sorting.value.by);
  const all = inOrder(found(rows, text, label), sorting.value, {
    label,
    figure: chosen?.value,
    language: region.value,
  });
  const shown = pageOf(all, page.value);
  const sortedBy = (by: string) =>
    sorting.value.by !== by ? undefined : sorting.value.isDescending ? "descending" : "ascending";
  const heading = (by: string, name: string) => (
    <button
      type="button"
      class="sort"
      data-sort={by}
      onClick={() => {
        sorting.value = nextSorting(sorting.value, by);
        page.value = 0;
      }}
    >
      {name}
    </button>
  );
  if (all.length === 0) return <p class="panel-empty">{texts.panels.noneFound}</p>;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: people who use the keyboard have to scroll it. */}
      {/* biome-ignore lint/a11y/useSemanticElements: it is no group of fields. */}
      <div class="sheet-rows" role="group" tabIndex={0} aria-label={texts.panels.rows}>
        <BarTable
          rows={shown.rows}
          head={heading(names, list.rowName(texts))}
          headSorted={sortedBy(names)}
          columns={columns.map((column) => ({
            ...column,
            heading: heading(column.id, column.name),
            sorted: sortedBy(column.id),
            isWide: column.isWide ?? false,
          }))}
          bar={({ row }) => mainFigure(list, row)}
          longestBar={Math.max(1, ...rows.map(({ row }) => mainFigure(list, row) ?? 0))}
          label={label}
          icon={({ row }) => iconFor(list, row)}
          rowKey={({ row }) => keyOf(list, row)}
          link={({ row }, name) => rowLink(list, row, dashboard, name)}
        />
      </div>
      <div class="sheet-foot">
        <span role="status">{texts.panels.rowCount(formatCount(all.length), all.length)}</span>
        {children}
        {shown.count > 1 && (
          <span class="sheet-pages">
            <button
              type="button"
              class="button"
              disabled={shown.page === 0}
              onClick={() => {
                page.value = shown.page - 1;
              }}
            >
              {texts.panels.previousPage}
            </button>
            <span>{texts.panels.pageOfPages(formatCount(shown.page + 1), formatCount(shown.count))}</span>
            <button
              type="button"
              class="button"
              disabled={shown.page === shown.count - 1}
              onClick={() => {
                page.value = shown.page + 1;
              }}
            >
              {texts.panels.nextPage}
            </button>
          </span>
        )}
      </div>
    </>
  );
}
