import type { JsonValue } from "@bufbuild/protobuf";
import type { TextRow } from "../../store/questdb/questdbReader.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { PreparedStatement } from "../plan/preparedAnswer.ts";
import { Bindings } from "../sql/bindings.ts";
import { type Filter, matchesText } from "../sql/filters.ts";
import { eventKinds } from "../sql/measures.ts";
import { selectedEvents } from "../visits/visitEvents.ts";
import { AnswerRefusal } from "./answerRefusal.ts";

/** The filter that chooses properties and not events. */
const propertyKeyFilter = "property_key";

/**
 * The most different values that are counted for one answer, and the most characters they may have together: some 100
 * MB at worst.
 */
const maxValues = 200_000;
const maxCharacters = 32_000_000;

/** The values of one property key in events of one name. A property that is null counts as missing. */
export type PropertyCounts = {
  readonly eventName: string;
  readonly key: string;
  /** How many events have each value; numbers, booleans and nested values are their JSON text. */
  readonly values: Map<string, number>;
  occurrences: number;
};

/**
 * Counts the properties of custom events. The statement groups equal property objects and passes them on one by one,
 * because QuestDB cannot take objects apart; only different values are held.
 */
export class PropertyCensus {
  readonly statement: PreparedStatement;
  readonly #keyFilters: readonly Filter[];
  readonly #counts = new Map<string, PropertyCounts>();
  #values = 0;
  #characters = 0;

  constructor(plan: ParameterPlan) {
    this.#keyFilters = plan.filters.filter(({ field }) => field === propertyKeyFilter);
    const bindings = new Bindings();
    const scope = { ...plan, filters: eventFilters(plan) };
    const values = { name: "name", properties: "properties" };
    const events = selectedEvents(scope, "events", values, [eventKinds.custom, "properties != null"], bindings);
    const sql = `SELECT name, properties, count() AS events FROM ${events} GROUP BY name, properties`;
    this.statement = { sql, values: bindings.values, each: (row) => this.#add(row) };
  }

  /** The counts, in no order. */
  get counts(): PropertyCounts[] {
    return [...this.#counts.values()];
  }

  #add([name, text, events]: TextRow): void {
    const properties: Record<string, JsonValue> = JSON.parse(text ?? "{}");
    for (const [key, value] of Object.entries(properties))
      if (value !== null && this.#keyFilters.every((filter) => matchesText(filter, key)))
        this.#count(name ?? "", key, typeof value === "string" ? value : JSON.stringify(value), Number(events));
  }

  #count(eventName: string, key: string, value: string, events: number): void {
    const place = JSON.stringify([eventName, key]);
    const counts = this.#counts.get(place) ?? { eventName, key, values: new Map(), occurrences: 0 };
    this.#counts.set(place, counts);
    const before = counts.values.get(value);
    counts.values.set(value, (before ?? 0) + events);
    counts.occurrences += events;
    if (before !== undefined) return;
    this.#values += 1;
    this.#characters += key.length + value.length;
    if (this.#values > maxValues || this.#characters > maxCharacters)
      throw new AnswerRefusal(
        `These events hold more than ${maxValues} different property values, or values too long to compare. ` +
          `Filter on event_name or ${propertyKeyFilter}, or shorten the range`,
      );
  }
}

/** The filters that select events. */
export function eventFilters({ filters }: Pick<ParameterPlan, "filters">): Filter[] {
  return filters.filter(({ field }) => field !== propertyKeyFilter);
}
