import { type ErrorDetail, validationError } from "../errors.ts";
import type { WebsiteGoals } from "../gen/lookout/v1/websites_pb.ts";
import { isStorableText, unstorableText } from "../text/isStorableText.ts";

type StoredGoal = { readonly kind: string; readonly value: string };

/** What visitors should achieve, as JSON in PostgreSQL. */
export type StoredGoals = { readonly goals: StoredGoal[]; readonly funnel: StoredGoal[] };

/** The goals of a request. Throws VALIDATION_ERROR that names the field. */
export function readGoals(given: WebsiteGoals): StoredGoals {
  const details = (["goals", "funnel"] as const).flatMap((list) =>
    given[list].flatMap(({ kind, value }, index) => wrongValue(`goals.${list}[${index}].value`, kind, value)),
  );
  if (given.funnel.length === 1) details.push({ field: "goals.funnel", message: "must have no step, or at least two" });
  if (details.length > 0) throw validationError(details);
  const stored = ({ kind, value }: StoredGoal) => ({ kind, value: value.trim() });
  return { goals: given.goals.map(stored), funnel: given.funnel.map(stored) };
}

function wrongValue(field: string, kind: string, value: string): ErrorDetail[] {
  if (!isStorableText(value)) return [{ field, message: unstorableText }];
  if (value.trim() === "") return [{ field, message: "must not be blank" }];
  const isPath = /^[/*]/.test(value.trim());
  return kind === "page" && !isPath ? [{ field, message: "must begin with /", suggestion: `/${value.trim()}` }] : [];
}
