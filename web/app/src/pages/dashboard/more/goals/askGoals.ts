import type {
  ComparedGoals,
  GoalFigures,
} from "../../../../../../../packages/client-js/src/gen/lookout/v1/funnels_pb.ts";
import type { Scope } from "../../view/question.ts";
import type { View } from "../../view/view.ts";
import { funnels } from "../services.ts";
import { comparisonOf, messageOf, type OwnGoal, rangeOf } from "./steps.ts";

/** A goal with its figures, and those of the other period if the two may be compared. */
export type CountedGoal = {
  readonly goal: OwnGoal;
  readonly total: GoalFigures | undefined;
  readonly before: GoalFigures | undefined;
};

export type CountedGoals = { readonly rows: readonly CountedGoal[]; readonly comparison: ComparedGoals | undefined };

/**
 * Counts goals; answers are in the same order. One call sums one pair of properties, so goals with the same pair share a call.
 */
export async function askGoals(
  goals: readonly OwnGoal[],
  { scope, view }: { readonly scope: Scope; readonly view: View },
  signal: AbortSignal,
): Promise<CountedGoals> {
  const groups = Map.groupBy(goals, ({ revenue }) => JSON.stringify(revenue));
  const answers = await Promise.all(
    [...groups.values()].map(async (group) => {
      const value = group[0]?.revenue;
      const query = {
        goals: group.map(messageOf),
        ...rangeOf(scope),
        ...comparisonOf(view),
        ...(value === undefined ? {} : { value }),
      };
      const { websiteId, timezone } = scope;
      const { goals: results, comparison } = await funnels.analyzeGoals({ websiteId, timezone, query }, { signal });
      const before = comparison?.complete === true ? comparison.goals : [];
      const counted = group.map(
        (goal, index): CountedGoal => ({ goal, total: results[index]?.total, before: before[index]?.total }),
      );
      return { counted, comparison };
    }),
  );
  const found = new Map(answers.flatMap(({ counted }) => counted.map((row) => [row.goal, row])));
  const rows = goals.flatMap((goal) => found.get(goal) ?? []);
  return { rows, comparison: answers[0]?.comparison };
}
