import { useSignal } from "@preact/signals";
import type { FilterField } from "../../../../../../../packages/client-js/src/filterFields.ts";
import { useCall } from "../../../../api/useCall.ts";
import { formatCount, formatDuration, formatPercent } from "../../../../texts/format.ts";
import { t } from "../../../../texts/texts.ts";
import { ActionButton } from "../../../../ui/actionButton.tsx";
import { Dialog } from "../../../../ui/dialog.tsx";
import { ErrorNotice } from "../../../../ui/errorNotice.tsx";
import { useDashboard } from "../../context.ts";
import { fieldName } from "../../fieldName.ts";
import { type FigureColumn, figureColumns } from "../figureColumns.tsx";
import { listQuestion } from "../listQuestion.ts";
import { figureOf, type PanelList } from "../panelTypes.ts";
import { manyRows } from "../rowCount.ts";
import { Waiting } from "../waiting.tsx";
import { askSheet } from "./askSheet.ts";
import { downloadCsv } from "./downloadCsv.ts";
import { SheetTable } from "./sheetTable.tsx";
import { useSettled } from "./useSettled.ts";
import "../../../../styles/sheet.css";

type SheetProps = { readonly list: PanelList; readonly title: string; readonly onClose: () => void };

/** The service's limit of rows of an answer. */
const mostRows = 10_000;

/** All rows of a list beside the page: they can be searched, sorted and saved. */
export function Sheet({ list, title, onClose }: SheetProps) {
  const dashboard = useDashboard();
  const texts = t();
  const { panels, app } = texts;
  const text = useSignal("");
  const limit = useSignal(manyRows);
  const isAllKnown = useSignal(false);
  const asked = useSettled(text.value.trim());
  // Where all rows are here, the search need not ask for them again, and finds what is shown: Germany, not DE.
  const contains =
    isAllKnown.value || list.searchField === undefined || asked === "" ? [] : [containing(list.searchField, asked)];
  const question = listQuestion(list, dashboard, limit.value);
  const { filters = [] } = question;
  const found = { ...question, filters: [...filters, ...contains] };
  const state = useCall(
    JSON.stringify(found),
    async (signal) => {
      const answer = await askSheet(list, found, signal);
      if (contains.length === 0) isAllKnown.value = answer.isAll;
      return answer;
    },
    { refresh: dashboard.refresh },
  );
  const { value, error } = state;
  const searched = isAllKnown.value
    ? panels.searchedAll
    : list.searchField === undefined
      ? panels.searchedLoaded(formatCount(limit.value))
      : panels.searchedIn(fieldName(list.searchField, texts));
  return (
    <Dialog title={title} look="sheet" onClose={onClose}>
      <div class="sheet-tools">
        <input
          class="input"
          type="search"
          autofocus
          aria-label={panels.searchRows}
          placeholder={panels.searchRows}
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
        <ActionButton onAct={() => downloadCsv(list, dashboard)}>{panels.csv}</ActionButton>
        <button type="button" class="button" onClick={onClose}>
          {app.close}
        </button>
      </div>
      {text.value !== "" && value !== undefined && <p class="field-hint">{searched}</p>}
      {error !== undefined && value === undefined ? (
        <ErrorNotice error={error} onRetry={state.reload} />
      ) : value === undefined ? (
        <Waiting />
      ) : (
        <SheetTable
          list={list}
          rows={value.rows}
          columns={[...figureColumns(list, value.comparison, dashboard, "sheet"), ...visitColumns(list)]}
          text={contains.length === 0 ? text.value : ""}
        >
          {!value.isAll && limit.value < mostRows && (
            <button
              type="button"
              class="button"
              onClick={() => {
                limit.value = mostRows;
              }}
            >
              {panels.moreRows}
            </button>
          )}
        </SheetTable>
      )}
    </Dialog>
  );
}

function containing(field: FilterField, value: string) {
  return { field, op: "contains", value } as const;
}

/** Bounce rate and duration, where a query type has them. */
function visitColumns({ visitsType }: PanelList): FigureColumn[] {
  const { metrics, averageDuration } = { ...t().dashboard, ...t().panels };
  if (visitsType === undefined) return [];
  return [
    {
      id: "bounce_rate",
      name: metrics.bounce_rate,
      value: ({ row }) => figureOf(row, "bounce_rate"),
      format: formatPercent,
      isWide: true,
    },
    {
      id: "avg_session_duration",
      name: averageDuration,
      value: ({ row }) => figureOf(row, "avg_session_duration"),
      format: formatDuration,
      isWide: true,
    },
  ];
}
