import type { JsonObject } from "@bufbuild/protobuf";
import { mapInSlices } from "../../concurrency/timeSlices.ts";
import { isCovered } from "../../time/timeRanges.ts";
import { byConversions, GoalCounter, type GoalCounts, isCounted } from "../goals/goalCounter.ts";
import { goalsStatement } from "../goals/goalsStatement.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { PreparedAnswer } from "../plan/preparedAnswer.ts";
import { type Revenue, worthOf } from "./goalWorth.ts";
import { type Facts, shapeRow, withoutFigures } from "./measuredAnswer.ts";
import { Top } from "./top.ts";

/** A row of the answer: the place of its goal, and what was counted. */
type Counted = { readonly goal: number; readonly counts: GoalCounts | undefined };

/**
 * How many visitors reached goals: a row for each goal, or with a split one for each goal and value, by the goals' order and most conversions
 * first.
 */
export function prepareGoalConversions(plan: ParameterPlan): PreparedAnswer {
  const { goals = [], split, offset, limit } = plan;
  if (goals.length === 0) return { statements: [], rows: () => [] };
  const key = split === undefined ? undefined : { field: split };
  const tops = goals.map((_, goal) => new Top<GoalCounts>(offset + limit, byConversions(goal)));
  const counter = new GoalCounter(goals.length, (counts) => {
    for (const [goal, top] of tops.entries()) if (isCounted(counts, goal)) top.add(counts);
  });
  return {
    statements: [{ ...goalsStatement(goals, plan, key), each: (row) => counter.add(row) }],
    rows: () => {
      counter.finish();
      const all = tops.flatMap(({ items }, goal): Counted[] =>
        split === undefined ? [{ goal, counts: items[0] }] : items.map((counts) => ({ goal, counts })),
      );
      return withWorth(plan, all.slice(offset, offset + limit));
    },
  };
}

/** Reads what the shown rows are worth, of goals that are worth something. */
function withWorth(plan: ParameterPlan, shown: readonly Counted[]): PreparedAnswer {
  const { goals = [], split } = plan;
  const keys = new Set(shown.map(({ counts }) => counts?.key ?? ""));
  const isShown = (value: string) => keys.has(value);
  const revenues = new Map<number, Revenue>();
  const statements = goals.flatMap((goal, place) => {
    if (goal.worth === undefined || !shown.some((row) => row.goal === place)) return [];
    const key = split === undefined ? undefined : { field: split };
    const { statement, revenue } = worthOf([goal], plan, key, { worth: goal.worth, isShown });
    revenues.set(place, (value) => revenue(value, 0));
    return [statement];
  });
  return { statements, rows: () => mapInSlices(shown, (row) => goalRow(plan, row, revenues.get(row.goal))) };
}

/** The row of a goal with what was counted, and what that is worth. */
export function goalRow(
  { type, goals, range, unknown = [] }: ParameterPlan,
  { goal, counts }: Counted,
  revenue?: Revenue,
): JsonObject {
  const key = counts?.key ?? "";
  const facts: Facts = {
    bucket: "",
    dimensions: [goals?.[goal]?.name ?? "", key],
    measures: new Map(),
    total: 0,
    goal: {
      visitors: counts?.visitors ?? 0,
      conversions: counts?.converted[goal] ?? 0,
      completions: counts?.completions[goal] ?? 0,
      revenue: (revenue?.(key, goal) ?? []).map(({ currency = "", amount = 0, completions = 0 }) => ({
        currency,
        amount,
        completions,
      })),
    },
  };
  const row = shapeRow(type.fields, facts);
  const isNothing = facts.goal?.visitors === 0 && facts.goal.completions === 0;
  return isNothing && isCovered(range, unknown) ? withoutFigures(type.fields, row) : row;
}
