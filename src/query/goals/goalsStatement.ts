import { Bindings } from "../sql/bindings.ts";
import { bucketSql } from "../sql/bucketSql.ts";
import type { Buckets } from "../sql/buckets.ts";
import { propertyField } from "../sql/eventProperties.ts";
import type { Field } from "../sql/fields.ts";
import { labelled } from "../sql/grouped.ts";
import { attributedVisits, isOfSource } from "../visits/attributedVisits.ts";
import { textsOf, type VisitText } from "../visits/visitColumns.ts";
import { eventsOfVisits, loneEvents, selectedVisits } from "../visits/visitEvents.ts";
import type { VisitScope } from "../visits/visitsSql.ts";
import { stepMask } from "./stepMask.ts";
import type { Step } from "./steps.ts";

/** What the figures of goals are broken down by. */
export type GoalKey = { readonly field: Field } | { readonly buckets: Buckets };

/** What a goal is worth: a property of its events with an amount, and one with the currency. */
export type GoalWorth = { readonly property: string; readonly currencyProperty: string | undefined };

/**
 * Which goals the events of the selected visits reached, a bit each: mask, visitors, events and, when `key` is given, its value, by which the
 * rows are sorted. A visitor counts in the row of all goals that the visitor's events reached, an event in the row of its own goals. The row
 * with the mask 0 has all visitors.
 */
export function goalsStatement(goals: readonly Step[], scope: VisitScope, key: GoalKey | undefined) {
  const bindings = new Bindings();
  const { reached, lone, everybody } = goalEvents(goals, scope, key, {}, bindings);
  const [ofValue, keyed] = key === undefined ? ["", ""] : [", k0", "k0, "];
  const converted =
    `SELECT ${keyed}visit_visitor_key, bit_or(mask) AS mask FROM (${reached}) WHERE visit_visitor_key != null ` +
    `GROUP BY ${keyed}visit_visitor_key`;
  const groups = key === undefined ? "" : " GROUP BY k0";
  const sql = [
    `SELECT 0::int AS mask, count_distinct(visit_visitor_key) AS visitors, 0::long AS events${ofValue} FROM (${everybody})${groups}`,
    `SELECT mask::int AS mask, count() AS visitors, 0::long AS events${ofValue} FROM (${converted}) GROUP BY ${keyed}mask`,
    `SELECT mask::int AS mask, 0::long AS visitors, count() AS events${ofValue} FROM (${reached} UNION ALL ${lone}) GROUP BY ${keyed}mask`,
  ].join(" UNION ALL ");
  return { sql: key === undefined ? sql : `SELECT * FROM (${sql}) ORDER BY k0`, values: bindings.values };
}

/** What the events that reached goals are worth, in the order mask, currency, amount, events and, when `key` is given, its value. */
export function worthStatement(
  goals: readonly Step[],
  scope: VisitScope,
  key: GoalKey | undefined,
  { property, currencyProperty }: GoalWorth,
) {
  const bindings = new Bindings();
  const currency =
    currencyProperty === undefined ? "''" : `upper(${propertyField(currencyProperty, bindings).column}::varchar)`;
  const values = { amount: `${propertyField(property, bindings).column}::double`, currency };
  const { reached, lone } = goalEvents(goals, scope, key, values, bindings);
  const [ofValue, keyed] = key === undefined ? ["", ""] : [", k0", "k0, "];
  const sql =
    `SELECT mask::int AS mask, coalesce(currency, '') AS currency, sum(amount) AS amount, count() AS events${ofValue} FROM ` +
    `(${reached} UNION ALL ${lone}) WHERE amount != null GROUP BY ${keyed}mask, currency`;
  return { sql, values: bindings.values };
}

/** The events that reached goals, of visits and of none, with more values of their own, and the visitors of all selected visits. */
function goalEvents(
  goals: readonly Step[],
  scope: VisitScope,
  key: GoalKey | undefined,
  more: Readonly<Record<string, string>>,
  bindings: Bindings,
) {
  const field = key !== undefined && "field" in key ? key.field : undefined;
  const mask = stepMask(goals, bindings);
  const ofField: VisitText[] = field?.isOfVisit === true ? textsOf([field]) : [];
  const texts = [...new Set([...ofField, ...mask.texts])];
  const isOfEvents = field !== undefined && field.isOfVisit !== true;
  const keyOf = (time: string, prefix: string) => {
    if (key === undefined) return "";
    if ("buckets" in key) return `, ${bucketSql(key.buckets, time)} AS k0`;
    const { column, whenEmpty, isOfVisit } = key.field;
    return isOfVisit === true
      ? `, coalesce(${prefix}${column}, '${whenEmpty}')::varchar AS k0`
      : ", value::varchar AS k0";
  };
  // Texts with bound values are made once: a statement takes 32,767 of them, and the same text may stand in it several times.
  const asked = {
    values: {
      ...mask.values,
      ...(isOfEvents ? { value: labelled(field) } : {}),
      ...more,
    },
    texts,
  };
  const visits =
    scope.touches === undefined || field === undefined || !isOfSource(field)
      ? selectedVisits(scope, texts, bindings)
      : attributedVisits(scope, scope.touches, texts, bindings);
  // Events are selected by their goals; the filters have selected the visits.
  const events = eventsOfVisits({ ...scope, filters: [] }, "events", asked, [], bindings, visits);
  const own = Object.keys(more).map((name) => `, ${name}`);
  const shown = `SELECT mask, visit_visitor_key${own.join("")}${keyOf("began", "visit_")}`;
  return {
    reached: `${shown} FROM (${mask.of(events)}) WHERE mask > 0`,
    lone: `${shown} FROM (${mask.of(loneEvents(scope, "events", asked, [], bindings))}) WHERE mask > 0`,
    everybody: isOfEvents
      ? `SELECT visit_visitor_key${keyOf("began", "visit_")} FROM (${events})`
      : `SELECT visitor_key AS visit_visitor_key${keyOf("started", "")} FROM (${visits})`,
  };
}
