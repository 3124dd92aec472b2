import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { useAnswer } from "../../../api/useAnswer.ts";
import { t } from "../../../texts/texts.ts";
import { BarTable } from "../../../ui/barTable.tsx";
import { Definition } from "../../../ui/definition.tsx";
import { ErrorNotice } from "../../../ui/errorNotice.tsx";
import { useOnScreen } from "../../../ui/useOnScreen.ts";
import { useDashboard } from "../context.ts";
import { CopyMenu } from "../copy/copyMenu.tsx";
import { hrefOfView } from "../view/currentView.ts";
import { withFilter } from "../view/view.ts";
import type { PanelEntry, PanelList } from "./panelTypes.ts";

/** Rows that a panel shows at first. */
const fewRows = 8;
/** Rows when all are wanted; the service sends no more than 10,000. */
const manyRows = 500;

/** A panel with one of its lists. It asks when it comes near the window. */
export function Panel({ panel }: { readonly panel: PanelEntry }) {
  const { isMember } = useDashboard();
  const lists = panel.lists.filter(({ isPrivate }) => isMember || isPrivate !== true);
  const chosen = useSignal(0);
  const element = useRef<HTMLElement>(null);
  const isNear = useOnScreen(element);
  const shown = lists[chosen.value] ?? lists[0];
  if (shown === undefined) return null;
  const texts = t();
  return (
    <section class="panel" ref={element} aria-labelledby={`panel-${panel.id}`} data-panel={panel.id}>
      <div class="panel-head">
        <h2 id={`panel-${panel.id}`}>{panel.title(texts)}</h2>
        {lists.length > 1 && (
          <div class="tabs">
            {lists.map((entry, index) => (
              <button
                key={entry.type}
                type="button"
                class="tab"
                aria-pressed={entry === shown}
                onClick={() => {
                  chosen.value = index;
                }}
              >
                {entry.title(texts)}
              </button>
            ))}
          </div>
        )}
      </div>
      <List key={shown.type} list={shown} isNear={isNear} />
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
  const visible = showsAll.value ? rows : rows.slice(0, fewRows);
  return (
    <>
      <div class="panel-body" aria-busy={answer.isLoading}>
        {answer.error !== undefined && answer.rows === undefined ? (
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
        {rows.length > fewRows ? (
          <button
            type="button"
            class="button button-plain"
            aria-expanded={showsAll.value}
            onClick={() => {
              showsAll.value = !showsAll.value;
            }}
          >
            {showsAll.value ? texts.panels.showFewer : texts.panels.showAll}
          </button>
        ) : (
          <span />
        )}
        <CopyMenu question={question} />
      </div>
    </>
  );
}

/** Rows of the height that the answer will have. */
function Waiting() {
  return (
    <>
      <p class="said">{t().app.loading}</p>
      <div class="waiting-rows" />
    </>
  );
}
