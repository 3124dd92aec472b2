import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { unfilterable } from "../../../api/catalogue.ts";
import { useAnswer } from "../../../api/useAnswer.ts";
import { t } from "../../../texts/texts.ts";
import { BarTable } from "../../../ui/barTable.tsx";
import { Definition } from "../../../ui/definition.tsx";
import { useDashboard } from "../context.ts";
import { fieldName } from "../fieldName.ts";
import { PartError } from "../partError.tsx";
import { EmptyPanel } from "./emptyPanel.tsx";
import { figureColumns } from "./figureColumns.tsx";
import { listQuestion } from "./listQuestion.ts";
import { keyOf, type PanelList } from "./panelTypes.ts";
import { askedRows, fewRows, manyRows } from "./rowCount.ts";
import { iconFor, mainFigure, rowLink } from "./rowParts.ts";
import { haveMost, lacksPageViews, sortedRows } from "./shownRows.ts";
import { Waiting } from "./waiting.tsx";

/** The first rows of a list, those with the most visitors. */
export function ListRows({ list, isNear }: { readonly list: PanelList; readonly isNear: boolean }) {
  const dashboard = useDashboard();
  const { view, refresh, hasFigures } = dashboard;
  const texts = t();
  const limit = useSignal(askedRows);
  const isEmpty = lacksPageViews(list, view.filters);
  const answer = useAnswer(listQuestion(list, dashboard, limit.value), {
    refresh,
    isWanted: isNear && hasFigures.value && !isEmpty,
  });
  const isEnough = answer.rows === undefined || haveMost(list, answer.rows, fewRows, limit.value);
  useEffect(() => {
    if (!isEnough) limit.value = manyRows;
  }, [isEnough, limit]);
  const hindrance = unfilterable(
    list.type,
    view.filters.map(({ field }) => field),
  );
  return (
    <div class="panel-body panel-rows" aria-busy={answer.isLoading}>
      {hindrance !== undefined ? (
        <p class="panel-empty">{texts.panels.notFilterable(fieldName(hindrance, texts))}</p>
      ) : isEmpty ? (
        <p class="panel-empty">{texts.panels.noPageViews}</p>
      ) : answer.error !== undefined && answer.rows === undefined ? (
        <PartError error={answer.error} onRetry={answer.retry} />
      ) : answer.rows === undefined ? (
        <Waiting />
      ) : answer.rows.length === 0 ? (
        <EmptyPanel />
      ) : (
        <BarTable
          rows={sortedRows(list, answer.rows, answer.comparison).slice(0, fewRows)}
          head={<Definition type={list.type}>{list.rowName(texts)}</Definition>}
          columns={figureColumns(list, answer.comparison, dashboard, "panel")}
          bar={({ row }) => mainFigure(list, row)}
          label={({ row }) => list.label(row, texts)}
          icon={({ row }) => iconFor(list, row)}
          rowKey={({ row }) => keyOf(list, row)}
          link={({ row }, label) => rowLink(list, row, dashboard, label)}
        />
      )}
    </div>
  );
}
