import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { AnswerRefusal } from "./answerRefusal.ts";
import { grouped, measured, type PropertyFigure, type QueryType } from "./catalogue/queryType.ts";
import { rounded } from "./columnRows.ts";
import { prepareMeasured } from "./measuredAnswer.ts";
import type { ParameterPlan } from "./parameterPlan.ts";
import type { PreparedAnswer } from "./preparedAnswer.ts";
import { eventFilters, PropertyCensus, type PropertyCounts } from "./propertyCensus.ts";
import { propertyKindOf } from "./propertyKind.ts";

/** Values of a property that the types name which show only the most frequent ones. */
const topValues = 10;
const sampleValues = 5;

/** Event names that one answer may tell apart. */
const maxEventNames = 10_000;

/** The figures of all events of one name. */
type EventTotals = {
  readonly name: string;
  readonly events: number;
  readonly visitors: number;
  readonly sessions: number;
};

/** The answer of a type whose rows are properties of custom events or their values. */
export function prepareEventProperties(plan: ParameterPlan): PreparedAnswer {
  const { shape } = plan.type;
  if (shape.kind !== "event_properties") throw new Error(`${plan.type.name} is not about properties`);
  const { figure } = shape;
  const census = new PropertyCensus(plan);
  const totals = needsTotals.has(figure) ? prepareMeasured(totalsPlan(plan)) : undefined;
  return {
    statements: [census.statement, ...(totals?.statements ?? [])],
    rows: ([, ...results]) => {
      const counted = totals?.rows(results) ?? [];
      const names = Array.isArray(counted) ? counted.map(totalsOf) : [];
      if (names.length > maxEventNames)
        throw new AnswerRefusal(`There are more than ${maxEventNames} event names here. Filter on event_name`);
      return rowsOfFigure[figure](census.counts.sort(byFrequency), names, plan);
    },
  };
}

const needsTotals: ReadonlySet<PropertyFigure> = new Set(["classification", "discovery"]);

/** The same events, counted by name. */
function totalsPlan(plan: ParameterPlan): ParameterPlan {
  const type: QueryType = {
    ...plan.type,
    shape: { kind: "table", dimensions: ["event_name"] },
    fields: [
      grouped("name", "Event name"),
      measured("custom_events"),
      measured("visitors"),
      measured("active_sessions", "sessions"),
    ],
  };
  return { ...plan, type, filters: eventFilters(plan), limit: maxEventNames + 1, offset: 0 };
}

function totalsOf({ name, custom_events, visitors, sessions }: JsonObject): EventTotals {
  return {
    name: String(name),
    events: Number(custom_events),
    visitors: Number(visitors),
    sessions: Number(sessions),
  };
}

type RowsOfFigure = (
  properties: readonly PropertyCounts[],
  totals: readonly EventTotals[],
  plan: ParameterPlan,
) => JsonObject[];

const rowsOfFigure: Readonly<Record<PropertyFigure, RowsOfFigure>> = {
  values: (properties, _, plan) => {
    const all = properties.flatMap((property) =>
      [...property.values].map(([value, count]) => ({ property, value, count })),
    );
    all.sort((a, b) => b.count - a.count || byPlace(a.property, b.property) || byText(a.value, b.value));
    return pageOf(all, plan).map(({ property, value, count }) => ({
      name: property.eventName,
      property_key: property.key,
      property_value: value,
      count,
    }));
  },
  cardinality: (properties, _, plan) =>
    pageOf(properties, plan).map(({ eventName, key, values, occurrences }) => ({
      event_name: eventName,
      property_key: key,
      unique_values: values.size,
      occurrences,
    })),
  classification: (properties, totals, plan) => {
    const eventsOf = new Map(totals.map(({ name, events }) => [name, events]));
    return pageOf(properties, plan).map((property) => classified(property, eventsOf.get(property.eventName) ?? 0));
  },
  top_values: (properties, _, plan) =>
    pageOf(
      properties.flatMap((property) =>
        mostFrequent(property)
          .slice(0, topValues)
          .map((value, index) => ({ property, value, rank: index + 1 })),
      ),
      plan,
    ).map(({ property, value, rank }) => ({ ...valueRow(property, value), rank })),
  distribution: (properties, _, plan) =>
    pageOf(
      properties.flatMap((property) => mostFrequent(property).map((value) => ({ property, value }))),
      plan,
    ).map(({ property, value }) => ({ ...valueRow(property, value), cardinality: property.values.size })),
  discovery: (properties, totals, plan) => {
    const ofEvent = Map.groupBy(properties, ({ eventName }) => eventName);
    const all = totals.flatMap((event): { event: EventTotals; property?: PropertyCounts }[] => {
      const own = ofEvent.get(event.name) ?? [];
      return own.length === 0 ? [{ event }] : own.map((property) => ({ event, property }));
    });
    return pageOf(all, plan).map(({ event, property }) => ({
      event_name: event.name,
      total_events: event.events,
      unique_users: event.visitors,
      unique_sessions: event.sessions,
      property_key: property?.key ?? "",
      unique_values: property?.values.size ?? 0,
      top_values:
        property === undefined
          ? []
          : mostFrequent(property)
              .slice(0, sampleValues)
              .map(([value, count]): JsonValue => ({ value, count })),
    }));
  },
};

function valueRow(property: PropertyCounts, [value, count]: readonly [string, number]): JsonObject {
  return {
    event_name: property.eventName,
    property_key: property.key,
    property_value: value,
    count,
    total: property.occurrences,
    percentage: rounded((100 * count) / property.occurrences),
  };
}

function classified(property: PropertyCounts, events: number): JsonObject {
  const values = [...property.values.keys()];
  const lengths = [...property.values].map(([value, count]) => ({ length: value.length, count }));
  const characters = lengths.reduce((sum, { length, count }) => sum + length * count, 0);
  return {
    event_name: property.eventName,
    property_key: property.key,
    cardinality: values.length,
    total_count: property.occurrences,
    coverage_ratio: events === 0 ? 0 : rounded(property.occurrences / events),
    avg_length: rounded(characters / property.occurrences),
    max_length: lengths.reduce((most, { length }) => Math.max(most, length), 0),
    ...propertyKindOf(values),
    sample_values: mostFrequent(property)
      .slice(0, sampleValues)
      .map(([value]) => value),
  };
}

function pageOf<T>(all: readonly T[], { offset, limit }: ParameterPlan): T[] {
  return all.slice(offset, offset + limit);
}

/** Values and how many events hold them, most frequent first. */
function mostFrequent({ values }: PropertyCounts): (readonly [string, number])[] {
  return [...values].sort(([a, countA], [b, countB]) => countB - countA || byText(a, b));
}

function byFrequency(a: PropertyCounts, b: PropertyCounts): number {
  return b.occurrences - a.occurrences || byPlace(a, b);
}

function byPlace(a: PropertyCounts, b: PropertyCounts): number {
  return byText(a.eventName, b.eventName) || byText(a.key, b.key);
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
