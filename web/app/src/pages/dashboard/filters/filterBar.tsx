import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useRef } from "preact/hooks";
import { t } from "../../../texts/texts.ts";
import { useDashboard } from "../context.ts";
import { GoalHint } from "../goalHint.tsx";
import { SegmentMenu } from "../segments/segmentMenu.tsx";
import { useShown } from "../useShown.ts";
import { writeFilter } from "../view/filter.ts";
import { Chips } from "./chips.tsx";
import type { FilterDialogProps } from "./filterDialog.tsx";
import { openFilters } from "./openFilters.ts";
import { useKeptFocus } from "./useKeptFocus.ts";

/** Adds filters, one by one or those that were saved; the chosen goal and the active filters. On a phone the filters are in the dialog. */
export function FilterBar() {
  const { view, goal } = useDashboard();
  const { dashboard, bar: texts } = t();
  const bar = useRef<HTMLDivElement>(null);
  const chips = [...(goal === undefined ? [] : [JSON.stringify(goal)]), ...view.filters.map(writeFilter)];
  useShown(bar, chips);
  useKeptFocus(bar, chips);
  const LoadedDialog = useSignal<ComponentType<FilterDialogProps> | undefined>(undefined);
  const open = (at: number | undefined): void => {
    openFilters.value = { at };
  };
  if (openFilters.value !== undefined && LoadedDialog.value === undefined)
    void import("./filterDialog.tsx").then((module) => {
      LoadedDialog.value = module.default;
    });
  const Dialog = LoadedDialog.value;
  return (
    <div class="filter-bar" ref={bar}>
      <button type="button" class="filter-add" data-add-filter onClick={() => open(undefined)}>
        <span class="bar-wide">{texts.addFilter}</span>
        <span class="bar-narrow">{texts.filterCount(chips.length)}</span>
      </button>
      <SegmentMenu />
      {chips.length > 0 && (
        <ul class="filters bar-wide" aria-label={dashboard.filters}>
          <Chips onEdit={open} />
        </ul>
      )}
      {goal !== undefined && <GoalHint goal={goal} />}
      {Dialog !== undefined && openFilters.value !== undefined && (
        <Dialog
          {...openFilters.value}
          onClose={() => {
            openFilters.value = undefined;
          }}
        />
      )}
    </div>
  );
}
