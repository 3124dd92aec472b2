import { useSignal } from "@preact/signals";
import { t } from "../../../texts/texts.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { useDashboard } from "../context.ts";
import type { SegmentAct } from "../segments/segmentDialog.tsx";
import { SegmentChoices, SegmentDialog } from "../segments/segmentParts.ts";
import { showView } from "../view/currentView.ts";
import { withChangedFilter, withFilters } from "../view/view.ts";
import { Chips } from "./chips.tsx";
import { FilterForm } from "./filterForm.tsx";
import type { OpenFilters } from "./openFilters.ts";
import "../../../styles/filterDialog.css";

export type FilterDialogProps = OpenFilters & { readonly onClose: () => void };

/** The saved filters, on a phone: the bar has no room for their menu. */
function PhoneSegments({ onClose }: { readonly onClose: () => void }) {
  const { segments: texts } = t();
  const act = useSignal<SegmentAct | undefined>(undefined);
  return (
    <details class="bar-narrow segment-fold">
      <summary>{texts.title}</summary>
      <SegmentChoices
        onChosen={onClose}
        onAct={(next) => {
          act.value = next;
        }}
      />
      {act.value !== undefined && (
        <SegmentDialog
          act={act.value}
          onClose={() => {
            act.value = undefined;
          }}
        />
      )}
    </details>
  );
}

/** Adds a filter or changes one. On a phone it also has the filters that are set, since the bar has no room for them. */
export default function FilterDialog({ at: first, isSearched = false, onClose }: FilterDialogProps) {
  const { view } = useDashboard();
  const { filterForm } = t();
  const at = useSignal(first);
  const filter = at.value === undefined ? undefined : view.filters[at.value];
  return (
    <Dialog title={filter === undefined ? filterForm.addTitle : filterForm.changeTitle} onClose={onClose}>
      {view.filters.length > 0 && (
        <div class="bar-narrow">
          <ul class="filters">
            <Chips
              onEdit={(index) => {
                at.value = index;
              }}
            />
          </ul>
        </div>
      )}
      <PhoneSegments onClose={onClose} />
      <FilterForm
        key={`${at.value ?? "new"}`}
        filter={filter}
        isSearched={isSearched}
        onCancel={onClose}
        onApply={(next) => {
          showView(at.value === undefined ? withFilters(view, [next]) : withChangedFilter(view, at.value, next));
          onClose();
        }}
      />
    </Dialog>
  );
}
