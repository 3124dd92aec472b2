import { hrefTo } from "../../../router/router.ts";
import { t } from "../../../texts/texts.ts";
import { Combobox } from "../../../ui/combobox.tsx";
import { ErrorNotice } from "../../../ui/errorNotice.tsx";
import { useDashboard } from "../context.ts";
import { useOwnGoals } from "../more/goals/ownGoals.ts";
import { readGoal, type Step, writeGoal } from "../view/goal.ts";
import { fitsBeside } from "./goalFilter.ts";
import { matchingValues } from "./matchingValues.ts";

const mostShown = 50;

type GoalValuesProps = {
  /** As addresses have them. */
  readonly chosen: readonly string[];
  readonly text: string;
  readonly autoFocus: boolean;
  readonly onText: (text: string) => void;
  readonly onChange: (goals: readonly string[]) => void;
};

/** The goals of the website to choose from, by name: those that one filter can select together. */
export function GoalValues({ chosen, text, autoFocus, onText, onChange }: GoalValuesProps) {
  const { websiteId } = useDashboard();
  const { filterForm, more, dashboard, app } = t();
  const { value: own, isLoading, error, reload } = useOwnGoals(websiteId, true);
  if (error !== undefined && own === undefined) return <ErrorNotice error={error} onRetry={reload} />;
  if (own?.goals.length === 0)
    return (
      <p>
        {filterForm.noGoals} <a href={hrefTo(["settings", websiteId, "goals"])}>{more.editGoals}</a>
      </p>
    );
  const [first] = stepsOf(chosen);
  const goals = own?.goals ?? [];
  const offered = goals.filter((goal) => first === undefined || fitsBeside(first, goal));
  const known = offered.map((goal) => ({ value: writeGoal(goal), name: goal.value }));
  return (
    <>
      <Combobox
        label={more.goal}
        chosen={stepsOf(chosen).map((goal) => ({ value: writeGoal(goal), name: goal.value }))}
        options={matchingValues(known, text, chosen, mostShown)}
        text={text}
        isMultiple
        isLoading={isLoading}
        autoFocus={autoFocus}
        texts={{
          ...filterForm.choose,
          own: undefined,
          none: first === undefined ? filterForm.choose.none : filterForm.noFurtherGoal,
          remove: (name) => `${dashboard.removeFilter}: ${name}`,
          loading: app.loading,
        }}
        onText={onText}
        onChange={onChange}
      />
      <p class="field-hint">{filterForm.goalHint}</p>
    </>
  );
}

/** The goals of a choice. */
export function stepsOf(chosen: readonly string[]): Step[] {
  return chosen.flatMap((text) => readGoal(text) ?? []);
}
