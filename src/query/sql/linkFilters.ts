import { propertyKeyOf } from "./eventProperties.ts";
import { type FieldName, fieldNameOf, findField } from "./fields.ts";
import { type Filter, matchesText } from "./filters.ts";

/** The event type and name of outgoing links in lists of events. */
export const outgoingLink = "outgoing_link";

/**
 * The filters on events that still have to be compared with rows of outgoing links; undefined where no link can match
 * all of them. Filters on visit fields select the visits of links as those of events.
 */
export function linkFilters(filters: readonly Filter[]): readonly Filter[] | undefined {
  const remaining: Filter[] = [];
  for (const filter of filters) {
    const field = propertyKeyOf(filter.field) === undefined ? fieldNameOf("events", filter.field) : undefined;
    const isOfVisit = field !== undefined && findField("events", field)?.isOfVisit === true;
    if (field === undefined || isOfVisit || storedFields.has(field))
      remaining.push({ ...filter, field: field ?? filter.field });
    else if (!isMetByAll(filter, field)) return undefined;
  }
  return remaining;
}

/** Fields of events that outgoing links have as columns too. */
const storedFields: ReadonlySet<FieldName> = new Set(["path"]);

function isMetByAll(filter: Filter, field: FieldName): boolean {
  if (field === "event_type" || field === "event_name") return matchesText(filter, outgoingLink);
  const asksForNothing = filter.values.some((value) => value === "" || value === findField("events", field)?.whenEmpty);
  return (filter.comparison === "equals" && asksForNothing) !== filter.negated;
}
