import type { Granularity, LookoutQuery, Range as QueryRange } from "../../../../../../packages/client-js/src/query.ts";
import { countDays, daysOf } from "./days.ts";
import { comparisonIn, type TextFilter, type View } from "./view.ts";

/** What all queries of a view have in common. */
export type Subject = {
  readonly websiteId: string;
  readonly timezone: string;
  readonly filters?: readonly TextFilter[];
};

export type Scope = Subject & QueryRange;

export function subjectOf(view: View, websiteId: string, timezone: string): Subject {
  const { filters } = view;
  return { websiteId, timezone, ...(filters.length === 0 ? {} : { filters }) };
}

export function scopeOf(view: View, subject: Subject): Scope {
  const { range } = view;
  return "from" in range
    ? { ...subject, startDate: range.from, endDate: range.to }
    : { ...subject, preset: range.preset };
}

/** The same with the period that it is compared with. */
export function compared(scope: Scope, view: View): Scope & Pick<LookoutQuery, "compare"> {
  const compare = comparisonIn(view);
  return compare === "none" ? scope : { ...scope, compare };
}

/** The same scope without filters. */
export function unfiltered(scope: Scope): Scope {
  return { ...scope, filters: [] };
}

/** The service's limit of days by the hour. */
export const mostDaysByHour = 30;

export function granularityOf(view: View, today: string): Granularity {
  const count = countDays(daysOf(view.range, today));
  if (count > mostDaysByHour) return "daily";
  return view.granularity ?? (count <= 2 ? "hourly" : "daily");
}
