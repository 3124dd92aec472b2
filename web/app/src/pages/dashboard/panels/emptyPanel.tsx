import { countDays, daysOf } from "../../../figures/days.ts";
import { t } from "../../../texts/texts.ts";
import { useDashboard } from "../context.ts";
import { hrefOfView } from "../view/currentView.ts";

/** The longest range that is offered where there is nothing. */
const longDays = 90;

/** Says why there are no rows (nothing happened, the filters match nothing, or nothing is known), and what to do. */
export function EmptyPanel() {
  const { view, now, isRangeUnknown } = useDashboard();
  const { panels, dashboard } = t();
  const isFiltered = view.filters.length > 0;
  const text = isRangeUnknown.value ? panels.emptyUnknown : isFiltered ? panels.emptyFiltered : panels.empty;
  const isShort = countDays(daysOf(view.range, now.day)) < longDays;
  const action = isFiltered
    ? { name: dashboard.removeFilters, href: hrefOfView({ ...view, filters: [] }) }
    : isShort
      ? { name: dashboard.ranges.last_90d, href: hrefOfView({ ...view, range: { preset: "last_90d" } }) }
      : undefined;
  return (
    <div class="panel-nothing">
      <p class="panel-empty">{text}</p>
      {action !== undefined && (
        <a class="button" href={action.href} data-keep-scroll>
          {action.name}
        </a>
      )}
    </div>
  );
}
