import type { QueryType } from "../catalogue/queryType.ts";
import { dimensionsOf } from "../catalogue/typeParts.ts";
import { Bindings } from "../sql/bindings.ts";
import type { Field } from "../sql/fields.ts";
import { groupedBy, labelled } from "../sql/grouped.ts";
import { conditionsOf, textLabel } from "../visits/groupedEvents.ts";
import { textsOf, type VisitText } from "../visits/visitColumns.ts";
import { eventsOfVisits, selectedVisits } from "../visits/visitEvents.ts";
import type { VisitScope } from "../visits/visitsSql.ts";
import { stepMask } from "./stepMask.ts";
import { ownStepSql, type Step } from "./steps.ts";

type Question = VisitScope & { readonly type: QueryType };

/** How many visitors of the rows of a breakdown reached a goal, by the breakdown's fields: k0, k1 …, conversions. */
export function conversionsStatement(goal: Step, question: Question) {
  const bindings = new Bindings();
  const fields = dimensionsOf(question.type);
  const isOfVisits = fields.every(({ isOfVisit }) => isOfVisit);
  const sql = isOfVisits ? byVisits(goal, question, fields, bindings) : byEvents(goal, question, fields, bindings);
  return { sql, values: bindings.values };
}

/** Visitors of the selected visits that reached it. */
function byVisits(goal: Step, question: Question, fields: readonly Field[], bindings: Bindings): string {
  const keys = fields.map(({ column, whenEmpty }) => textLabel(`visit_${column}`, whenEmpty));
  const reached = `(${goalEvents(goal, question, textsOf(fields), bindings)}) WHERE mask > 0 AND visit_visitor_key != null`;
  return groupedBy(keys, ["count_distinct(visit_visitor_key) AS conversions"], reached).sql;
}

/** Visitors of the events of a row, such as views of a page, whose visit reached it, whichever came first. */
function byEvents(goal: Step, question: Question, fields: readonly Field[], bindings: Bindings): string {
  const { type } = question;
  const values = Object.fromEntries(fields.map((field, index) => [`d${index}`, labelled(field)]));
  const rows = eventsOfVisits(question, "events", { values, texts: [] }, conditionsOf(type, "events"), bindings);
  const reached =
    "SELECT DISTINCT session_key AS goal_session_key, began AS goal_began FROM " +
    `(${goalEvents(goal, question, [], bindings)}) WHERE mask > 0`;
  return groupedBy(
    fields.map((_, index) => `d${index}::string::varchar`),
    ["count_distinct(visitor_key) AS conversions"],
    `(${rows}) JOIN (${reached}) ON session_key = goal_session_key AND began = goal_began`,
  ).sql;
}

/** The events of the selected visits that the goal asks for, with `mask` above 0 if they reach it. */
function goalEvents(goal: Step, question: Question, ofRows: readonly VisitText[], bindings: Bindings): string {
  const mask = stepMask([goal], bindings);
  const texts = [...new Set([...ofRows, ...mask.texts])];
  const need = question.type.only === "page_view" ? "pageViews" : undefined;
  const visits = selectedVisits(question, texts, bindings, need);
  const own = [ownStepSql(goal, bindings)];
  // The filters have selected the visits.
  return mask.of(
    eventsOfVisits({ ...question, filters: [] }, "events", { values: mask.values, texts }, own, bindings, visits),
  );
}
