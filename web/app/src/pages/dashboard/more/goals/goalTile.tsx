import { formatCount, formatPercent } from "../../../../texts/format.ts";
import { t } from "../../../../texts/texts.ts";
import { NoValue } from "../../../../ui/noValue.tsx";
import { useDashboard } from "../../context.ts";
import { RateChange } from "../../figures/rateChange.tsx";
import { hrefOfView } from "../../view/currentView.ts";
import { isSameGoal } from "../../view/goal.ts";
import type { CountedGoal } from "./askGoals.ts";
import { formatMoney } from "./formatMoney.ts";

type GoalTileProps = {
  readonly row: CountedGoal;
  /** The time of the earlier rate. */
  readonly time: string;
};

/** A goal: its rate, of how many visitors, what it was worth, and how the rate has changed. A click shows the rate in every panel, another one no longer. */
export function GoalTile({ row: { goal, total, before }, time }: GoalTileProps) {
  const { view, goal: chosen, isRangeUnknown } = useDashboard();
  const { more: texts, panels } = t();
  const step = { kind: goal.kind, value: goal.value };
  const isCurrent = isSameGoal(step, chosen);
  const known = isRangeUnknown.value ? undefined : total;
  const rate = known?.conversionRate ?? null;
  return (
    <li data-goal={`${goal.kind} ${goal.value}`}>
      <a
        class="goal"
        href={hrefOfView({ ...view, goal: isCurrent ? undefined : step })}
        data-keep-scroll
        title={isCurrent ? panels.removeGoal(goal.value) : panels.goalFilter(goal.value)}
        aria-current={isCurrent ? "true" : undefined}
      >
        <span class="goal-name">{goal.value}</span>
        <span class="goal-rate">{rate === null ? <NoValue /> : <data value={rate}>{formatPercent(rate)}</data>}</span>
        <span class="goal-of">
          {known === undefined ? (
            panels.emptyUnknown
          ) : (
            <data value={known.converted}>
              {texts.reachedOf(formatCount(known.converted), formatCount(known.visitors))}
            </data>
          )}
          {known?.revenue.map(({ currency, amount }) => (
            <data key={currency} class="revenue" value={amount}>
              {formatMoney(amount, currency)}
            </data>
          ))}
        </span>
        <span class="goal-change">
          <RateChange rate={rate} before={before?.conversionRate} time={time} />
        </span>
      </a>
    </li>
  );
}
