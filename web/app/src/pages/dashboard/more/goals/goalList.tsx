import { useAnswer } from "../../../../api/useAnswer.ts";
import { useCall } from "../../../../api/useCall.ts";
import { formatPercent } from "../../../../texts/format.ts";
import { t } from "../../../../texts/texts.ts";
import { BarTable } from "../../../../ui/barTable.tsx";
import { ErrorNotice } from "../../../../ui/errorNotice.tsx";
import { Loaded } from "../../../../ui/loaded.tsx";
import { useDashboard } from "../../context.ts";
import { hrefOfView } from "../../view/currentView.ts";
import { isSameGoal, type Step } from "../../view/goal.ts";
import { unfiltered } from "../../view/question.ts";
import { funnels } from "../services.ts";
import { messageOf, rangeOf } from "./steps.ts";
import { StepsForm } from "./stepsForm.tsx";

const shownGoals = 6;

type GoalListProps = {
  readonly isWanted: boolean;
  /** The goals that the website has been given. */
  readonly own: Step[];
  readonly onSave: (steps: Step[]) => Promise<void>;
};

/** Without goals of one's own, the most frequent custom events. A click chooses one. */
export function GoalList({ isWanted, own, onSave }: GoalListProps) {
  const { view, goal: chosen, websiteId, scope, refresh } = useDashboard();
  const { more: texts, panels } = t();
  // Those of all visits: with filters the goals are the same, and it is seen that none was reached.
  const events = useAnswer(
    { ...unfiltered(scope), limit: shownGoals, parameters: ["events"] },
    { refresh, isWanted: isWanted && own.length === 0 },
  );
  const usual = (events.rows ?? []).map(({ name }): Step => ({ kind: "event", value: name }));
  const goals = own.length > 0 ? own : usual;
  const isKnown = own.length > 0 || events.rows !== undefined;
  const answer = useCall(
    JSON.stringify(["goals", scope, goals, isKnown]),
    async (signal) =>
      goals.length === 0
        ? { goals: [] }
        : await funnels.analyzeGoals(
            {
              websiteId,
              timezone: scope.timezone,
              query: { goals: goals.map(messageOf), ...rangeOf(scope) },
            },
            { signal },
          ),
    { refresh, isWanted: isWanted && isKnown },
  );
  return (
    <>
      <div class="panel-body">
        {events.error !== undefined && !isKnown ? (
          <ErrorNotice error={events.error} onRetry={events.retry} />
        ) : (
          <Loaded state={answer} height="18rem" empty={texts.noGoals} isEmpty={(found) => found.goals.length === 0}>
            {(found) => (
              <BarTable
                rows={found.goals.flatMap(({ name, total }, index) => {
                  const step = goals[index];
                  return step === undefined ? [] : [{ name, total, step }];
                })}
                head={texts.goal}
                label={({ name }) => name}
                rowKey={({ step }) => `${step.kind} ${step.value}`}
                columns={[
                  { name: texts.converted, value: ({ total }) => total?.converted ?? 0 },
                  {
                    name: texts.conversionRate,
                    value: ({ total }) => total?.conversionRate ?? null,
                    format: formatPercent,
                  },
                ]}
                link={({ step }, name) => {
                  const isCurrent = isSameGoal(step, chosen);
                  return {
                    href: hrefOfView({ ...view, goal: isCurrent ? undefined : step }),
                    title: isCurrent ? panels.removeGoal(name) : panels.goalFilter(name),
                    isCurrent,
                  };
                }}
              />
            )}
          </Loaded>
        )}
      </div>
      <StepsForm title={texts.editGoals} hint={texts.goalsHint} least={0} most={20} steps={own} onSave={onSave} />
    </>
  );
}
