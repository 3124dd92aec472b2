import { t } from "../../../texts/texts.ts";
import { useDashboard } from "../context.ts";
import { hrefOfView } from "../view/currentView.ts";
import { withoutFilter } from "../view/view.ts";
import { filterText } from "./filterText.ts";

/** The chosen goal and the filters as sentences. A click changes a filter, its cross removes it. */
export function Chips({ onEdit }: { readonly onEdit: (index: number) => void }) {
  const { view, goal } = useDashboard();
  const texts = t();
  const { dashboard, more } = texts;
  return (
    <>
      {goal !== undefined && (
        <li class="filter" data-goal-chip>
          <span class="filter-text" data-chip tabIndex={-1}>
            {more.goal}: <b>{goal.value}</b>
          </span>
          <Remove href={hrefOfView({ ...view, goal: undefined })} />
        </li>
      )}
      {view.filters.map((filter, index) => {
        const { condition, values } = filterText(filter, texts);
        return (
          // A changed filter keeps its chip, and so the focus.
          <li key={index} class="filter">
            <button type="button" class="filter-text" data-chip onClick={() => onEdit(index)}>
              {condition} <b>{values}</b>
            </button>
            <Remove href={hrefOfView(withoutFilter(view, index))} />
          </li>
        );
      })}
      {view.filters.length > 1 && (
        <li>
          <a class="filter-all" href={hrefOfView({ ...view, filters: [] })} data-keep-scroll>
            {dashboard.removeFilters}
          </a>
        </li>
      )}
    </>
  );
}

function Remove({ href }: { readonly href: string }) {
  const { dashboard } = t();
  return (
    <a class="filter-remove" href={href} data-keep-scroll title={dashboard.removeFilter}>
      <span aria-hidden="true">×</span>
      <span class="said">{dashboard.removeFilter}</span>
    </a>
  );
}
