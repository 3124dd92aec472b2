import type { QueryType } from "../catalogue/queryType.ts";
import { dimensionsOf, measuresOf } from "../catalogue/typeParts.ts";
import { isOfVisitOnly } from "../sql/fields.ts";
import type { Filter } from "../sql/filters.ts";
import { measureOf } from "../sql/measures.ts";
import { visitFilters } from "./splitFilters.ts";

/** A type, and what selects the rows that it counts. */
type Question = { readonly type: QueryType; readonly filters: readonly Filter[] };

/** Shapes that read rows of a table as they are, and only need visits for filters on them. */
const ofSingleEvents: ReadonlySet<string> = new Set(["list", "event_list", "live_sessions"]);

/** Whether an answer needs to know where visits are read. */
export function asksVisits({ type, filters }: Question): boolean {
  const { shape, table } = type;
  if (table !== "events" && table !== "outgoing_links")
    return (
      filters.some(({ field }) => isOfVisitOnly(table, field)) ||
      measuresOf(type).some((name) => ["events", "sessions"].includes(measureOf(name).relation))
    );
  return !ofSingleEvents.has(shape.kind) || visitFilters(filters).length > 0;
}

/** Whether its events may be counted without joining them with their visits, if the visits that the edges of the range cut are known. */
export function wantsCutVisits({ type, filters }: Question): boolean {
  if (visitFilters(filters).length > 0) return false;
  if (type.shape.kind === "event_properties") return true;
  return type.shape.kind === "table" && dimensionsOf(type).some(({ isOfVisit }) => isOfVisit !== true);
}
