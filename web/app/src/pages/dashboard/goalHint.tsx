import { useAnswer } from "../../api/useAnswer.ts";
import { t } from "../../texts/texts.ts";
import { useDashboard } from "./context.ts";
import { hrefOfView } from "./view/currentView.ts";
import { queryGoal, type Step } from "./view/goal.ts";
import { unfiltered } from "./view/question.ts";

/**
 * Shown when no event of the range has the name of the chosen goal, so that all its figures are 0. Suggests the nearest name that
 * events have.
 */
export function GoalHint({ goal }: { readonly goal: Step }) {
  const { view, scope, refresh, hasFigures } = useDashboard();
  const { more } = t();
  // Every answer has hints; this one is the cheapest. Filters would add hints of their own.
  const question = { ...unfiltered(scope), goal: queryGoal(goal), parameters: ["page_views"] } as const;
  const { hints } = useAnswer(question, { refresh, isWanted: hasFigures.value && goal.kind === "event" });
  const hint = hints.find(({ field }) => field === "goal.event");
  if (hint === undefined) return null;
  const { suggestion } = hint;
  return (
    <p class="field-hint goal-hint" role="status">
      {more.goalUnsent(goal.value)}
      {suggestion !== null && (
        <>
          {" "}
          {more.didYouMean}{" "}
          <a href={hrefOfView({ ...view, goal: { kind: "event", value: suggestion } })} data-keep-scroll>
            {suggestion}
          </a>
        </>
      )}
    </p>
  );
}
