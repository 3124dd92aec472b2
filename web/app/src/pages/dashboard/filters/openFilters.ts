import { signal } from "@preact/signals";

/** Whether the dialog of filters is open, and the place of the filter that it changes. */
export const openFilters = signal<OpenFilters | undefined>(undefined);

export type OpenFilters = {
  readonly at: number | undefined;
  /** Whether the focus begins at the search of values. */
  readonly isSearched?: boolean;
};
