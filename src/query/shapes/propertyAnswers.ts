import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { eachInSlices, mapInSlices, nextSlice, sliceIsOver, sortInSlices } from "../../concurrency/timeSlices.ts";
import { rounded } from "../../text/rounded.ts";
import { grouped, measured, type PropertyFigure, type QueryType } from "../catalogue/queryType.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { PreparedAnswer } from "../plan/preparedAnswer.ts";
import { AnswerRefusal } from "./answerRefusal.ts";
import { prepareMeasured } from "./measuredAnswer.ts";
import { eventFilters, PropertyCensus, type PropertyCounts } from "./propertyCensus.ts";
import { propertyKindOf } from "./propertyKind.ts";
import { Top } from "./top.ts";

/** Values of a property in the types that show only the most frequent ones. */
const topValues = 10;
const sampleValues = 5;

/** The most event names in one answer. */
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
    rows: async ([, ...results]) => {
      const counted = (await totals?.rows(results)) ?? [];
      const names = Array.isArray(counted) ? counted.map(totalsOf) : [];
      if (names.length > maxEventNames)
        throw new AnswerRefusal(`There are more than ${maxEventNames} event names here. Filter on event_name`);
      return rowsOfFigure[figure](await sortInSlices(census.counts, byFrequency), names, plan);
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
) => Promise<JsonObject[]>;

const rowsOfFigure: Readonly<Record<PropertyFigure, RowsOfFigure>> = {
  values: async (properties, _, plan) => {
    const all: { property: PropertyCounts; value: string; count: number }[] = [];
    for (const property of properties)
      await eachInSlices(property.values, ([value, count]) => all.push({ property, value, count }));
    const sorted = await sortInSlices(
      all,
      (a, b) => b.count - a.count || byPlace(a.property, b.property) || byText(a.value, b.value),
    );
    return mapInSlices(pageOf(sorted, plan), ({ property, value, count }) => ({
      name: property.eventName,
      property_key: property.key,
      property_value: value,
      count,
    }));
  },
  cardinality: (properties, _, plan) =>
    mapInSlices(pageOf(properties, plan), ({ eventName, key, values, occurrences }) => ({
      event_name: eventName,
      property_key: key,
      unique_values: values.size,
      occurrences,
    })),
  classification: async (properties, totals, plan) => {
    const eventsOf = new Map(totals.map(({ name, events }) => [name, events]));
    const rows: JsonObject[] = [];
    for (const property of pageOf(properties, plan))
      rows.push(await classified(property, eventsOf.get(property.eventName) ?? 0));
    return rows;
  },
  top_values: async (properties, _, plan) => {
    const all: { property: PropertyCounts; value: ValueCount; rank: number }[] = [];
    for (const property of properties)
      for (const [index, value] of (await mostFrequent(property, topValues)).entries())
        all.push({ property, value, rank: index + 1 });
    return mapInSlices(pageOf(all, plan), ({ property, value, rank }) => ({ ...valueRow(property, value), rank }));
  },
  distribution: async (properties, _, plan) => {
    const all: { property: PropertyCounts; value: ValueCount }[] = [];
    for (const property of properties)
      await eachInSlices(await mostFrequent(property), (value) => all.push({ property, value }));
    return mapInSlices(pageOf(all, plan), ({ property, value }) => ({
      ...valueRow(property, value),
      cardinality: property.values.size,
    }));
  },
  discovery: async (properties, totals, plan) => {
    const ofEvent = Map.groupBy(properties, ({ eventName }) => eventName);
    const all = totals.flatMap((event): { event: EventTotals; property?: PropertyCounts }[] => {
      const own = ofEvent.get(event.name) ?? [];
      return own.length === 0 ? [{ event }] : own.map((property) => ({ event, property }));
    });
    const rows: JsonObject[] = [];
    for (const { event, property } of pageOf(all, plan)) {
      const samples = property === undefined ? [] : await mostFrequent(property, sampleValues);
      rows.push({
        event_name: event.name,
        total_events: event.events,
        unique_users: event.visitors,
        unique_sessions: event.sessions,
        property_key: property?.key ?? "",
        unique_values: property?.values.size ?? 0,
        top_values: samples.map(([value, count]): JsonValue => ({ value, count })),
      });
      if (sliceIsOver()) await nextSlice();
    }
    return rows;
  },
};

function valueRow(property: PropertyCounts, [value, count]: ValueCount): JsonObject {
  return {
    event_name: property.eventName,
    property_key: property.key,
    property_value: value,
    count,
    total: property.occurrences,
    percentage: rounded((100 * count) / property.occurrences),
  };
}

async function classified(property: PropertyCounts, events: number): Promise<JsonObject> {
  let [characters, maxLength] = [0, 0];
  await eachInSlices(property.values, ([value, count]) => {
    characters += value.length * count;
    maxLength = Math.max(maxLength, value.length);
  });
  const samples = await mostFrequent(property, sampleValues);
  return {
    event_name: property.eventName,
    property_key: property.key,
    cardinality: property.values.size,
    total_count: property.occurrences,
    coverage_ratio: events === 0 ? 0 : rounded(property.occurrences / events),
    avg_length: rounded(characters / property.occurrences),
    max_length: maxLength,
    ...(await propertyKindOf(property.values)),
    sample_values: samples.map(([value]) => value),
  };
}

function pageOf<T>(all: readonly T[], { offset, limit }: ParameterPlan): T[] {
  return all.slice(offset, offset + limit);
}

/** A value and how many events hold it. */
type ValueCount = readonly [string, number];

/** Values of a property, most frequent first: the first `limit` of them, or all. */
async function mostFrequent({ values }: PropertyCounts, limit?: number): Promise<readonly ValueCount[]> {
  const order = ([a, countA]: ValueCount, [b, countB]: ValueCount) => countB - countA || byText(a, b);
  if (limit === undefined) return sortInSlices([...values], order);
  const top = new Top<ValueCount>(limit, order);
  await eachInSlices(values, (value) => top.add(value));
  return top.items;
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
