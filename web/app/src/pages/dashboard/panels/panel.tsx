import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { useAnswer } from "../../../api/useAnswer.ts";
import { formatCount, formatShortCount } from "../../../texts/format.ts";
import { t } from "../../../texts/texts.ts";
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
  const { view, scope, refresh } = useDashboard();
  const texts = t();
  const showsAll = useSignal(false);
  // One more than is shown tells whether there are more.
  const question = { ...scope, limit: showsAll.value ? manyRows : fewRows + 1, parameters: [list.type] } as const;
  const answer = useAnswer(question, { refresh, isWanted: isNear });
  const rows = answer.rows ?? [];
  const visible = showsAll.value ? rows : rows.slice(0, fewRows);
  const [first] = list.columns;
  const largest = Math.max(1, ...visible.map((row) => first?.value(row) ?? 0));
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
          <table class="bars">
            <thead>
              <tr>
                <th scope="col">
                  <Definition type={list.type}>{list.rowName(texts)}</Definition>
                </th>
                {list.columns.map((column) => (
                  <th key={column.name(texts)} scope="col">
                    {column.name(texts)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {visible.map((row) => {
                const filter = list.filter?.(row);
                const label = list.label(row, texts);
                return (
                  <tr key={list.key(row)} style={{ "--share": String((first?.value(row) ?? 0) / largest) }}>
                    <th scope="row">
                      {filter === undefined ? (
                        <span class="bar-label" title={label}>
                          {label}
                        </span>
                      ) : (
                        <a
                          class="bar-label"
                          href={hrefOfView(withFilter(view, filter))}
                          data-keep-scroll
                          title={texts.panels.filterBy(label)}
                        >
                          {label}
                        </a>
                      )}
                    </th>
                    {list.columns.map((column) => (
                      <td key={column.name(texts)}>
                        <data value={column.value(row)} title={formatCount(column.value(row))}>
                          {formatShortCount(column.value(row))}
                        </data>
                      </td>
                    ))}
                  </tr>
                );
              })}
            </tbody>
          </table>
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
