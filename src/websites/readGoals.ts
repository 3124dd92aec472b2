import { type ErrorDetail, validationError } from "../errors/errors.ts";
import type { WebsiteGoal, WebsiteGoalRevenue, WebsiteGoals } from "../gen/lookout/v1/websites_pb.ts";
import { isStorableText, unstorableText } from "../text/isStorableText.ts";

/** A goal as JSON in PostgreSQL. `revenue` names the properties of the event with the amount and the currency. */
export type StoredGoal = {
  readonly kind: string;
  readonly value: string;
  readonly revenue?: { readonly property: string; readonly currencyProperty?: string };
};

/** What visitors should achieve, as JSON in PostgreSQL. */
export type StoredGoals = { readonly goals: StoredGoal[]; readonly funnel: StoredGoal[] };

/** The goals of a request. Throws VALIDATION_ERROR that names the field. */
export function readGoals(given: WebsiteGoals): StoredGoals {
  const details = (["goals", "funnel"] as const).flatMap((list) =>
    given[list].flatMap((goal, index) => [
      ...wrongValue(`goals.${list}[${index}].value`, goal.kind, goal.value),
      ...wrongRevenue(`goals.${list}[${index}].revenue`, goal, list === "funnel"),
    ]),
  );
  if (given.funnel.length === 1) details.push({ field: "goals.funnel", message: "must have no step, or at least two" });
  if (details.length > 0) throw validationError(details);
  const stored = ({ kind, value, revenue }: WebsiteGoal): StoredGoal => ({
    kind,
    value: value.trim(),
    ...(revenue === undefined ? {} : { revenue: storedRevenue(revenue) }),
  });
  return { goals: given.goals.map(stored), funnel: given.funnel.map(stored) };
}

function wrongValue(field: string, kind: string, value: string): ErrorDetail[] {
  if (!isStorableText(value)) return [{ field, message: unstorableText }];
  if (value.trim() === "") return [{ field, message: "must not be blank" }];
  const isPath = /^[/*]/.test(value.trim());
  return kind === "page" && !isPath ? [{ field, message: "must begin with /", suggestion: `/${value.trim()}` }] : [];
}

function storedRevenue({ property, currencyProperty }: WebsiteGoalRevenue) {
  return { property, ...(currencyProperty === undefined ? {} : { currencyProperty }) };
}

function wrongRevenue(field: string, { kind, revenue }: WebsiteGoal, isStep: boolean): ErrorDetail[] {
  if (revenue === undefined) return [];
  if (isStep) return [{ field, message: "must be left out: steps of a funnel have no revenue" }];
  if (kind === "page") return [{ field, message: "must be left out: only goals of events have revenue" }];
  return (["property", "currencyProperty"] as const)
    .filter((name) => revenue[name] !== undefined && !isStorableText(revenue[name]))
    .map((name) => ({ field: `${field}.${name}`, message: unstorableText }));
}
