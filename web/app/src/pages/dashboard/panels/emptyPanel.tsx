import { t } from "../../../texts/texts.ts";
import { useDashboard } from "../context.ts";

/** Says why there are no rows: nothing happened, the filters match nothing, or nothing is known. */
export function EmptyPanel() {
  const { view, isRangeUnknown } = useDashboard();
  const { panels } = t();
  const text = isRangeUnknown.value
    ? panels.emptyUnknown
    : view.filters.length === 0
      ? panels.empty
      : panels.emptyFiltered;
  return <p class="panel-empty">{text}</p>;
}
