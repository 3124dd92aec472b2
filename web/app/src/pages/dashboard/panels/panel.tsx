import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { unfilterable } from "../../../api/catalogue.ts";
import { useAnswer } from "../../../api/useAnswer.ts";
import { t } from "../../../texts/texts.ts";
import { BarTable } from "../../../ui/barTable.tsx";
import { Definition } from "../../../ui/definition.tsx";
import { useOnScreen } from "../../../ui/useOnScreen.ts";
import { useDashboard } from "../context.ts";
import { CopyMenu } from "../copy/copyMenu.tsx";
import { fieldName } from "../fieldName.ts";
import { PartError } from "../partError.tsx";
import { hrefOfView } from "../view/currentView.ts";
import { compared } from "../view/question.ts";
import { withFilters } from "../view/view.ts";
import { EmptyPanel } from "./emptyPanel.tsx";
import { type GoalRowsComponent, hasRates, type PanelEntry, type PanelList } from "./panelTypes.ts";
import { inOrder, rowChange } from "./rowChange.tsx";
import { fewRows } from "./rowCount.ts";
import { ShowMore } from "./showMore.tsx";
import { Waiting } from "./waiting.tsx";
import { lacksPageViews, listWith, orderOf } from "./withoutPageViews.ts";

/** Number of rows when all are wanted; the service sends at most 10,000. */
const manyRows = 500;

type PanelProps = {
  readonly panel: PanelEntry;
  /** Shows lists of visits if a goal is chosen; undefined until it is loaded. */
  readonly GoalRows: GoalRowsComponent | undefined;
};

/** A panel with one of its lists. It asks its question when it comes near the window. */
export function Panel({ panel, GoalRows }: PanelProps) {
  const { isMember, goal, view } = useDashboard();
  const lists = panel.lists.filter(({ isPrivate }) => isMember || isPrivate !== true);
  const chosen = useSignal<PanelList | undefined>(undefined);
  const element = useRef<HTMLElement>(null);
  const isNear = useOnScreen(element);
  // With a goal, people first want to know which campaign or page brought it.
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
      {goal === undefined || !hasRates(shown) || lacksPageViews(shown, view.filters) ? (
        <List key={shown.type} list={shown} isNear={isNear} />
      ) : GoalRows === undefined ? (
        <div class="panel-body">
          <Waiting />
        </div>
      ) : (
        <GoalRows key={shown.type} goal={goal} list={shown} isNear={isNear} />
      )}
    </section>
  );
}

function List({ list: usual, isNear }: { readonly list: PanelList; readonly isNear: boolean }) {
  const { view, scope, refresh, hasFigures, isComparable } = useDashboard();
  const list = listWith(usual, view.filters);
  const texts = t();
  const showsAll = useSignal(false);
  // One more row shows that there are more. Rows sorted here need all, since the first ones in the service's order may be any.
  const limit = showsAll.value || list.isSortedHere ? manyRows : fewRows + 1;
  const question = { ...compared(scope, view), limit, parameters: [list.type] } as const;
  const isEmpty = lacksPageViews(list, view.filters);
  const answer = useAnswer(question, {
    refresh,
    isWanted: isNear && hasFigures.value && !isEmpty,
  });
  const order = list.isSortedHere ? orderOf(answer.rows ?? [], list) : undefined;
  const rows = inOrder(answer.rows ?? [], order);
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
        ) : isEmpty ? (
          <p class="panel-empty">{texts.panels.noPageViews}</p>
        ) : answer.error !== undefined && answer.rows === undefined ? (
          <PartError error={answer.error} onRetry={answer.retry} />
        ) : answer.rows === undefined ? (
          <Waiting />
        ) : rows.length === 0 ? (
          <EmptyPanel />
        ) : (
          <BarTable
            rows={visible}
            head={<Definition type={list.type}>{list.rowName(texts)}</Definition>}
            // Errors and vitals are also unknown for days before the first event.
            columns={list.columns.map(({ name, value }, index) => ({
              name: name(texts),
              value,
              note:
                index === 0 && isComparable.value
                  ? rowChange(list, answer.comparison, order, scope.timezone)
                  : undefined,
            }))}
            label={(row) => list.label(row, texts)}
            rowKey={list.key}
            link={(row, label) => {
              const filters = list.filters?.(row) ?? [];
              if (filters.length === 0) return undefined;
              return { href: hrefOfView(withFilters(view, filters)), title: texts.panels.filterBy(label) };
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
