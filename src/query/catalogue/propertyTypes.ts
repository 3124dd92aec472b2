import { define, type Group } from "./define.ts";
import {
  dateField,
  grouped,
  listed,
  measured,
  notKept,
  type OutputField,
  type PropertyFigure,
  type QueryType,
  seriesLimit,
  shown,
} from "./queryType.ts";

// Properties of events may reveal details about a business or a person, so no public dashboard shows them.
const custom = { category: "custom-events", isPublic: false, table: "events", only: "custom" } as const satisfies Group;

function properties(
  name: string,
  title: string,
  figure: PropertyFigure,
  description: string,
  fields: readonly OutputField[],
): QueryType {
  const shape = { kind: "event_properties", figure } as const;
  const filters = { ownFilters: ["property_key"] };
  return define(
    custom,
    name,
    title,
    `${description} Filter property_key for single properties.`,
    shape,
    fields,
    filters,
  );
}

const place = [shown("event_name", "Event name", "text"), shown("property_key", "Property", "text")];

const valueFields = [
  ...place,
  shown("property_value", "Value", "text"),
  shown("count", "Events", "count"),
  shown("total", "Events with the property", "count"),
  shown("percentage", "Share of events with the property", "figure", { unit: "percent" }),
];

/** Custom events one by one and over time, and their properties. */
export const propertyTypes: readonly QueryType[] = [
  define(
    custom,
    "custom_events_trends_by_event",
    "Custom events over time by name",
    "Custom events of each name by day or hour, of the most frequent names if there are many.",
    { kind: "split_series", dimension: "event_name" },
    [dateField, grouped("event_name", "Event name"), measured("custom_events", "total_events")],
    { defaultLimit: seriesLimit },
  ),
  define(
    custom,
    "custom_events_recent",
    "Latest custom events",
    "Custom events with their properties, latest first.",
    { kind: "list" },
    [
      shown("event_name", "Event name", "text", { column: "name" }),
      notKept("namespace", "Namespace"),
      shown("path", "Page", "text"),
      notKept("source", "Source"),
      shown("properties", "Properties", "json"),
      shown("anonymous_id", "Visitor", "text"),
      shown("session_id", "Session", "text"),
      shown("timestamp", "Time", "time", { column: "ts" }),
    ],
  ),
  properties(
    "custom_event_properties",
    "Property values",
    "values",
    "Values of the properties of custom events, most frequent first.",
    [
      shown("name", "Event name", "text"),
      shown("property_key", "Property", "text"),
      shown("property_value", "Value", "text"),
      shown("count", "Events", "count"),
    ],
  ),
  properties(
    "custom_events_property_cardinality",
    "Number of property values",
    "cardinality",
    "How many different values each property of custom events has, most frequent properties first.",
    [
      ...place,
      shown("unique_values", "Different values", "count"),
      shown("occurrences", "Events with the property", "count"),
    ],
  ),
  properties(
    "custom_events_property_classification",
    "Kinds of properties",
    "classification",
    "The kind of each property of custom events, by all of its values, most frequent properties first.",
    [
      ...place,
      shown("cardinality", "Different values", "count"),
      shown("total_count", "Events with the property", "count"),
      shown("coverage_ratio", "Share of the events of this name, 0 to 1", "figure", { unit: "ratio" }),
      shown("avg_length", "Average length", "figure", { unit: "characters" }),
      shown("max_length", "Largest length", "count", { unit: "characters" }),
      shown("is_numeric", "All are numbers", "boolean"),
      shown("is_boolean", "All are true or false", "boolean"),
      shown("is_date_like", "All are dates", "boolean"),
      shown("is_url_like", "All are addresses", "boolean"),
      shown("inferred_type", "boolean, number, date, url, object or string", "text"),
      shown("render_strategy", "distribution_bar, top_n_chart, top_n_with_other or detail_only", "text"),
      listed("sample_values", "Most frequent values"),
    ],
  ),
  properties(
    "custom_events_property_top_values",
    "Top property values",
    "top_values",
    "The ten most frequent values of each property of custom events, most frequent properties first.",
    [...valueFields, shown("rank", "Rank in the property", "count")],
  ),
  properties(
    "custom_events_property_distribution",
    "Distribution of property values",
    "distribution",
    "All values of each property of custom events with their shares, most frequent properties first.",
    [...valueFields, shown("cardinality", "Different values", "count")],
  ),
  properties(
    "custom_events_discovery",
    "Custom events and their properties",
    "discovery",
    "A row for each property of each custom event, most frequent events first; one without a property for events that have none.",
    [
      shown("event_name", "Event name", "text"),
      shown("total_events", "Events", "count"),
      shown("unique_users", "Visitors", "count"),
      shown("unique_sessions", "Sessions", "count"),
      shown("property_key", "Property", "text"),
      shown("unique_values", "Different values", "count"),
      listed("top_values", "Most frequent values and how many events have them"),
    ],
  ),
];
