import type {
  ComparedGoals,
  GoalRevenue,
} from "../../../../../../../packages/client-js/src/gen/lookout/v1/funnels_pb.ts";
import { useAnswer } from "../../../../api/useAnswer.ts";
import { useCall } from "../../../../api/useCall.ts";
import { formatCount, formatPercent } from "../../../../texts/format.ts";
import { t } from "../../../../texts/texts.ts";
import { BarTable } from "../../../../ui/barTable.tsx";
import { Loaded } from "../../../../ui/loaded.tsx";
import { NoValue } from "../../../../ui/noValue.tsx";
import { useDashboard } from "../../context.ts";
import { CopyMenu } from "../../copy/copyMenu.tsx";
import { ChangeText } from "../../figures/changeText.tsx";
import { comparedTime } from "../../figures/comparedTime.ts";
import { RateChange } from "../../figures/rateChange.tsx";
import { PartError, partError } from "../../partError.tsx";
import { comparisonIn } from "../../view/comparison.ts";
import { hrefOfView } from "../../view/currentView.ts";
import { isSameGoal } from "../../view/goal.ts";
import { compared, unfiltered } from "../../view/question.ts";
import { askGoals, type CountedGoal } from "./askGoals.ts";
import { formatMoney } from "./formatMoney.ts";
import type { OwnGoal } from "./steps.ts";
import { StepsForm } from "./stepsForm.tsx";

const shownGoals = 6;

type GoalListProps = {
  readonly isWanted: boolean;
  /** The goals defined for the website. */
  readonly own: OwnGoal[];
  readonly onSave: (goals: OwnGoal[]) => Promise<void>;
};

/** The website's goals or, without any, the most frequent custom events. A click chooses one. */
export function GoalList({ isWanted, own, onSave }: GoalListProps) {
  const { view, goal: chosen, scope, refresh, isRangeUnknown } = useDashboard();
  const { more: texts, panels } = t();
  // Ask without filters, so that the goals stay the same and those not reached show 0.
  const events = useAnswer(
    { ...unfiltered(scope), limit: shownGoals, parameters: ["events"] },
    { refresh, isWanted: isWanted && own.length === 0 },
  );
  const usual = (events.rows ?? []).map(({ name }): OwnGoal => ({ kind: "event", value: name }));
  const goals = own.length > 0 ? own : usual;
  const isKnown = own.length > 0 || events.rows !== undefined;
  const answer = useCall(
    JSON.stringify(["goals", scope, comparisonIn(view), goals, isKnown]),
    (signal) => askGoals(goals, { scope, view }, signal),
    { refresh, isWanted: isWanted && isKnown },
  );
  const worth = {
    name: texts.revenue,
    value: () => null,
    cell: ({ goal, total }: CountedGoal) => goal.revenue !== undefined && <Revenue sums={total?.revenue ?? []} />,
  };
  const timeOf = (comparison: ComparedGoals | undefined) =>
    comparison === undefined ? "" : comparedTime(comparison, scope.timezone, t());
  return (
    <>
      <div class="panel-body">
        {events.error !== undefined && !isKnown ? (
          <PartError error={events.error} onRetry={events.retry} />
        ) : (
          <Loaded
            state={answer}
            height="18rem"
            failed={partError}
            empty={texts.noGoals}
            isEmpty={({ rows }) => rows.length === 0}
          >
            {({ rows, comparison }) => (
              <BarTable
                rows={rows}
                head={texts.goal}
                label={({ goal }) => goal.value}
                rowKey={({ goal }) => `${goal.kind} ${goal.value}`}
                columns={[
                  {
                    name: texts.converted,
                    value: ({ total }) => (isRangeUnknown.value ? null : (total?.converted ?? 0)),
                    note: ({ total, before }) => (
                      <ChangeText
                        value={total?.converted}
                        before={before?.converted}
                        format={formatCount}
                        moreIs="better"
                        time={timeOf(comparison)}
                      />
                    ),
                  },
                  {
                    name: texts.conversionRate,
                    value: ({ total }) => total?.conversionRate ?? null,
                    format: formatPercent,
                    note: ({ total, before }) => (
                      <RateChange
                        rate={total?.conversionRate}
                        before={before?.conversionRate}
                        time={timeOf(comparison)}
                      />
                    ),
                  },
                  ...(rows.some(({ goal }) => goal.revenue !== undefined) ? [worth] : []),
                ]}
                link={({ goal: { kind, value } }, name) => {
                  const step = { kind, value };
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
      <div class="panel-foot">
        <StepsForm
          title={texts.editGoals}
          hint={texts.goalsHint}
          least={0}
          most={20}
          steps={own}
          withRevenue
          onSave={onSave}
        />
        {/* The most frequent events are not goals of the website, so no query counts them. */}
        {own.length > 0 && <CopyMenu question={{ ...compared(scope, view), parameters: ["goal_conversions"] }} />}
      </div>
    </>
  );
}

/** The revenue of a goal, a line for each currency. */
function Revenue({ sums }: { readonly sums: readonly GoalRevenue[] }) {
  if (sums.length === 0) return <NoValue />;
  return sums.map(({ currency, amount }) => (
    <data key={currency} class="revenue" value={amount}>
      {formatMoney(amount, currency)}
    </data>
  ));
}
