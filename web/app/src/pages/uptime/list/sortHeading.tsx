import type { Signal } from "@preact/signals";
import type { SortedBy } from "./sortedRows.ts";

type SortHeadingProps = {
  readonly by: SortedBy;
  readonly sortedBy: Signal<SortedBy | undefined>;
  readonly class?: string;
  readonly children: string;
};

/** The heading of a column that sorts rows by it, and no longer when it is pressed again. */
export function SortHeading({ by, sortedBy, class: look = "", children }: SortHeadingProps) {
  return (
    <th
      scope="col"
      class={look}
      aria-sort={sortedBy.value === by ? (by === "p95" ? "descending" : "ascending") : undefined}
    >
      <button
        type="button"
        class="sort-button"
        onClick={() => {
          sortedBy.value = sortedBy.value === by ? undefined : by;
        }}
      >
        {children}
        <span class="sort-sign" aria-hidden="true" />
      </button>
    </th>
  );
}
