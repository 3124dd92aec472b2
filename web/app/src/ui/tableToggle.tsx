import type { Signal } from "@preact/signals";
import { t } from "../texts/texts.ts";

/** Switches a chart to its table and back. */
export function TableToggle({ showsTable }: { readonly showsTable: Signal<boolean> }) {
  return (
    <button
      type="button"
      class="button button-plain"
      aria-pressed={showsTable.value}
      onClick={() => {
        showsTable.value = !showsTable.value;
      }}
    >
      {t().dashboard.asTable}
    </button>
  );
}
