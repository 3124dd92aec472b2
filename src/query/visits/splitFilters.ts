import { findField } from "../sql/fields.ts";
import type { Filter } from "../sql/filters.ts";

/** Filters on visit fields: they select visits. */
export function visitFilters(filters: readonly Filter[]): readonly Filter[] {
  return filters.filter(isOfVisit);
}

/** Filters on event fields: they select events. */
export function eventFilters(filters: readonly Filter[]): readonly Filter[] {
  return filters.filter((filter) => !isOfVisit(filter));
}

function isOfVisit({ field }: Filter): boolean {
  return findField("events", field)?.isOfVisit === true;
}
