import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { unfilterable } from "../../../api/catalogue.ts";
import { useAnswer } from "../../../api/useAnswer.ts";
import { t } from "../../../texts/texts.ts";
import { BarTable } from "../../../ui/barTable.tsx";
import { Definition } from "../../../ui/definition.tsx";
import { ErrorNotice } from "../../../ui/errorNotice.tsx";
import { useOnScreen } from "../../../ui/useOnScreen.ts";
import { useDashboard } from "../context.ts";
import { CopyMenu } from "../copy/copyMenu.tsx";
import { fieldName } from "../fieldName.ts";
import { hrefOfView } from "../view/currentView.ts";
import { withFilter } from "../view/view.ts";
import type { GoalRowsComponent, PanelEntry, PanelList } from "./panelTypes.ts";
import { fewRows } from "./rowCount.ts";
import { ShowMore } from "./showMore.tsx";
import { Waiting } from "./waiting.tsx";

/** Rows when all are wanted; the service sends no more than 10,000. */
const manyRows = 500;

type PanelProps = {
  readonly panel: PanelEntry;
  /** Shows lists of visits with a goal chosen; undefined until it is loaded. */
  readonly GoalRows: GoalRowsComponent | undefined;
};

/** A panel with one of its lists. It asks when it comes near the window. */
export function Panel({ panel, GoalRows }: PanelProps) {
  const { isMember, goal } = useDashboard();
  const lists = panel.lists.filter(({ isPrivate }) => isMember || isPrivate !== true);
  const chosen = useSignal<PanelList | undefined>(undefined);
  const element = useRef<HTMLElement>(null);
  const isNear = useOnScreen(element);
  // With a goal the first question is which campaign or page brought it.
  const first = goal === undefined ? undefined : lists.find(({ isFirstWithGoal }) => isFirstWithGoal);
  const shown = lists.find((entry) => entry === chosen.value) ?? first ?? lists[0];
  if (shown === undefined) return null;
  const texts = t();
  return (
    <section class="panel" ref={element} aria-labelledby={`panel-${panel.id}`} data-panel={panel.id}>
      <div class="panel-head">
        <h2 id={`panel-${panel.id}`}>{panel.title(texts)}</h2>
        {lists.length > 1 && (
          <div class="tabs">
            {lists.map((entry) => (
              <button
                key={entry.type}
                type="button"
                class="tab"
                aria-pressed={entry === shown}
                onClick={() => {
                  chosen.value = entry;
                }}
              >
                {entry.title(texts)}
              </button>
            ))}
          </div>
        )}
      </div>
      {goal === undefined || shown.visitField === undefined ? (
        <List key={shown.type} list={shown} isNear={isNear} />
      ) : GoalRows === undefined ? (
        <div class="panel-body">
          <Waiting />
        </div>
      ) : (
        <GoalRows
          key={shown.type}
          goal={goal}
          field={shown.visitField}
          rowName={shown.rowName(texts)}
          withUnknown={shown.leavesOutUnknown !== true}
          isNear={isNear}
        />
      )}
    </section>
  );
}

function List({ list, isNear }: { readonly list: PanelList; readonly isNear: boolean }) {
  const { view, scope, refresh, hasFigures } = useDashboard();
  const texts = t();
  const showsAll = useSignal(false);
  // One more than is shown tells whether there are more.
  const question = { ...scope, limit: showsAll.value ? manyRows : fewRows + 1, parameters: [list.type] } as const;
  const answer = useAnswer(question, { refresh, isWanted: isNear && hasFigures.value });
  const rows = answer.rows ?? [];
  const hindrance = unfilterable(
    list.type,
    view.filters.map(({ field }) => field),
  );
  const visible = showsAll.value ? rows : rows.slice(0, fewRows);
  return (
    <>
      <div class="panel-body" aria-busy={answer.isLoading}>
        {hindrance !== undefined ? (
          <p class="panel-empty">{texts.panels.notFilterable(fieldName(hindrance, texts))}</p>
        ) : answer.error !== undefined && answer.rows === undefined ? (
          <ErrorNotice error={answer.error} onRetry={answer.retry} />
        ) : answer.rows === undefined ? (
          <Waiting />
        ) : rows.length === 0 ? (
          <p class="panel-empty">{view.filters.length === 0 ? texts.panels.empty : texts.panels.emptyFiltered}</p>
        ) : (
          <BarTable
            rows={visible}
            head={<Definition type={list.type}>{list.rowName(texts)}</Definition>}
            columns={list.columns.map(({ name, value }) => ({ name: name(texts), value }))}
            label={(row) => list.label(row, texts)}
            rowKey={list.key}
            link={(row, label) => {
              const filter = list.filter?.(row);
              return filter && { href: hrefOfView(withFilter(view, filter)), title: texts.panels.filterBy(label) };
            }}
          />
        )}
      </div>
      <div class="panel-foot">
        <ShowMore showsAll={showsAll} hasMore={rows.length > fewRows} />
        <CopyMenu question={question} />
      </div>
    </>
  );
}
