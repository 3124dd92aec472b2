import { type ErrorDetail, validationError } from "../errors/errors.ts";
import type { WebsiteGoal, WebsiteGoalRevenue, WebsiteGoals } from "../gen/lookout/v1/websites_pb.ts";
import { isStorableText, unstorableText } from "../text/isStorableText.ts";
import { wrongFunnels } from "./readFunnels.ts";
import type { SentGoals, StoredGoal } from "./storedGoals.ts";

/** The goals and funnels of a request. Throws VALIDATION_ERROR that names the field. */
export function readGoals(given: WebsiteGoals): SentGoals {
  const details = [
    ...given.goals.flatMap((goal, index) => wrongGoal(`goals.goals[${index}]`, goal, false)),
    ...given.funnel.flatMap((goal, index) => wrongGoal(`goals.funnel[${index}]`, goal, true)),
    ...given.funnels.flatMap(({ steps }, at) =>
      steps.flatMap((goal, index) => wrongGoal(`goals.funnels[${at}].steps[${index}]`, goal, true)),
    ),
    ...wrongFunnels(given.funnels),
  ];
  if (given.funnel.length === 1) details.push({ field: "goals.funnel", message: "must have no step, or at least two" });
  if (details.length > 0) throw validationError(details);
  return {
    goals: given.goals.map(storedGoal),
    funnel: given.funnel.map(storedGoal),
    funnels: given.funnels.map(({ name, steps }) => ({ name: name.trim(), steps: steps.map(storedGoal) })),
  };
}

function storedGoal({ kind, value, revenue, property }: WebsiteGoal): StoredGoal {
  return {
    kind,
    value: value.trim(),
    ...(revenue === undefined ? {} : { revenue: storedRevenue(revenue) }),
    ...(property === undefined ? {} : { property: { name: property.name.trim(), value: property.value } }),
  };
}

function storedRevenue({ property, currencyProperty }: WebsiteGoalRevenue) {
  return { property, ...(currencyProperty === undefined ? {} : { currencyProperty }) };
}

function wrongGoal(field: string, goal: WebsiteGoal, isStep: boolean): ErrorDetail[] {
  return [
    ...wrongValue(`${field}.value`, goal.kind, goal.value),
    ...wrongRevenue(`${field}.revenue`, goal, isStep),
    ...wrongProperty(`${field}.property`, goal, isStep),
  ];
}

function wrongValue(field: string, kind: string, value: string): ErrorDetail[] {
  if (!isStorableText(value)) return [{ field, message: unstorableText }];
  if (value.trim() === "") return [{ field, message: "must not be blank" }];
  const isPath = /^[/*]/.test(value.trim());
  return kind === "page" && !isPath ? [{ field, message: "must begin with /", suggestion: `/${value.trim()}` }] : [];
}

function wrongRevenue(field: string, { kind, revenue }: WebsiteGoal, isStep: boolean): ErrorDetail[] {
  if (revenue === undefined) return [];
  if (isStep) return [{ field, message: "must be left out: steps of a funnel have no revenue" }];
  if (kind === "page") return [{ field, message: "must be left out: only goals of events have revenue" }];
  return (["property", "currencyProperty"] as const)
    .filter((name) => revenue[name] !== undefined && !isStorableText(revenue[name]))
    .map((name) => ({ field: `${field}.${name}`, message: unstorableText }));
}

function wrongProperty(field: string, { kind, property }: WebsiteGoal, isStep: boolean): ErrorDetail[] {
  if (property === undefined) return [];
  if (!isStep) return [{ field, message: "must be left out: only steps of a funnel have a property" }];
  if (kind === "page") return [{ field, message: "must be left out: only events have properties" }];
  return (["name", "value"] as const).flatMap((name) => {
    const text = property[name];
    if (!isStorableText(text)) return [{ field: `${field}.${name}`, message: unstorableText }];
    return text.trim() === "" ? [{ field: `${field}.${name}`, message: "must not be blank" }] : [];
  });
}
