import type { Signal } from "@preact/signals";
import { t } from "../../../texts/texts.ts";

type ShowMoreProps = { readonly showsAll: Signal<boolean>; readonly hasMore: boolean };

/** Switches between few rows and many. Takes up its space even without more rows. */
export function ShowMore({ showsAll, hasMore }: ShowMoreProps) {
  const { panels } = t();
  if (!hasMore) return <span />;
  return (
    <button
      type="button"
      class="button button-plain"
      aria-expanded={showsAll.value}
      onClick={() => {
        showsAll.value = !showsAll.value;
      }}
    >
      {showsAll.value ? panels.showFewer : panels.showAll}
    </button>
  );
}
