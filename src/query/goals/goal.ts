import { detail, Problems } from "../../errors/problems.ts";
import type { QueryFilter } from "../../gen/lookout/v1/query_pb.ts";
import type { StoredGoal } from "../../websites/storedGoals.ts";
import { propertyKeyProblem } from "../sql/eventProperties.ts";
import type { GoalWorth } from "./goalsStatement.ts";
import { type GivenStep, readStep, type Step } from "./steps.ts";

/** A goal, and what it is worth if that is known. */
export type Goal = Step & { readonly worth?: GoalWorth | undefined };

/** A goal as a query has it. */
export type GivenGoal = GivenStep & { readonly value?: GivenWorth | undefined };

type GivenWorth = { readonly property: string; readonly currencyProperty?: string };

/** The goal of a query; `at` is the path to it (`goal.`). Problems are reported. */
export function readGoal(given: GivenGoal | undefined, at: string, problems: Problems): Goal | undefined {
  if (given === undefined) return undefined;
  const step = readStep(given, at, problems);
  const worth = readWorthOf(given.value, at, problems);
  return step === undefined ? undefined : { ...step, worth };
}

/** The properties that say what goals are worth; undefined if that is not asked. Problems are reported. */
export function readWorthOf(value: GivenWorth | undefined, at: string, problems: Problems): GoalWorth | undefined {
  if (value === undefined) return undefined;
  for (const name of ["property", "currencyProperty"] as const) {
    const problem = value[name] === undefined ? undefined : propertyKeyProblem(value[name]);
    if (problem !== undefined) problems.add(detail(`${at}value.${name}`, `cannot be used: ${problem}`));
  }
  return { property: value.property, currencyProperty: value.currencyProperty };
}

const noFilters: readonly QueryFilter[] = [];

/** A goal of a website. The path of a page that ends in * means all pages that begin so. */
export function goalOfWebsite({ kind, value, revenue }: StoredGoal): Goal | undefined {
  const action =
    kind === "event"
      ? ({ case: "event", value } as const)
      : ({
          case: "page",
          value: value.endsWith("*") ? { path: value.slice(0, -1), op: "starts_with" } : { path: value },
        } as const);
  return readGoal({ name: value, action, filters: noFilters, value: revenue }, "", new Problems());
}
