import { useSignal } from "@preact/signals";
import type { QueryTypeName } from "../../../../../../../packages/client-js/src/query.ts";
import type { Rows } from "../../../../../../../packages/client-js/src/rows.ts";
import { ask } from "../../../../api/useAnswer.ts";
import { useCall } from "../../../../api/useCall.ts";
import { t } from "../../../../texts/texts.ts";
import { useDashboard } from "../../context.ts";
import type { GoalRowsProps, PanelList } from "../../panels/panelTypes.ts";
import { compared } from "../../view/question.ts";
import { funnels } from "../services.ts";
import { type RateBefore, type RateRow, RateTable } from "./rateTable.tsx";
import { comparisonOf, rangeOf, selectsEvents, stepMessage, visitsWith } from "./steps.ts";

/** The service takes no more goals in a call. */
const mostSteps = 20;

/**
 * Rows that are steps themselves, such as pages: how many of the visitors who take a step reach the chosen goal in a visit with it. The service is
 * asked the other way round, for all rows at once: of the visits that reach the goal, how many visitors take each step.
 */
export function StepRows({ goal, list, isNear }: GoalRowsProps) {
  const { view, websiteId, scope, refresh, hasFigures } = useDashboard();
  const texts = t();
  const showsAll = useSignal(false);
  // A filter on events and the goal would have to match the same event.
  const isKnown = !selectsEvents(view.filters);
  const { value, reload, ...state } = useCall(
    JSON.stringify(["steps to", list.type, goal, scope, view.compare]),
    async (signal) => {
      const question = { ...compared(scope, view), limit: mostSteps, parameters: [list.type] } as const;
      const { rows, comparison: other } = await ask(question, signal);
      const visitorsBefore = other?.isComplete === true ? other.data.map((row) => visitorsOf(list, row)) : undefined;
      const steps = rows.flatMap((row) => {
        const step = list.step?.(row);
        return step === undefined ? [] : [{ row, step }];
      });
      const goals = steps.map(({ step }) => stepMessage(step));
      if (goals.length === 0 || !isKnown) return { steps, visitorsBefore, reached: undefined };
      const query = { goals, ...rangeOf(scope, visitsWith(goal)), ...comparisonOf(view) };
      const reached = await funnels.analyzeGoals({ websiteId, timezone: scope.timezone, query }, { signal });
      return { steps, visitorsBefore, reached };
    },
    { refresh, isWanted: isNear && hasFigures.value },
  );
  const { steps, visitorsBefore, reached } = value ?? {};
  const comparison = reached?.comparison;
  const before = comparison?.complete === true ? comparison.goals : undefined;
  const rows = steps
    ?.map(({ row, step: { visitors } }, index): RateRow => {
      const converted = reached === undefined ? null : (reached.goals[index]?.total?.converted ?? 0);
      return {
        key: list.key(row),
        label: list.label(row, texts),
        visitors,
        converted,
        rate: converted === null ? null : rateOf(converted, visitors),
        before: rateBefore(before?.[index]?.total?.converted, visitorsBefore?.[index]),
        filters: list.filters?.(row) ?? [],
      };
    })
    .sort((one, other) => (other.converted ?? 0) - (one.converted ?? 0));
  const { panels } = texts;
  return (
    <RateTable
      {...state}
      rowName={list.rowName(texts)}
      rows={rows}
      comparison={comparison}
      onRetry={reload}
      showsAll={showsAll}
      hint={isKnown ? (rows?.length === mostSteps ? panels.ofMost(mostSteps) : undefined) : panels.noRates}
    />
  );
}

/** Percent; null of nobody. */
function rateOf(converted: number, visitors: number): number | null {
  return visitors === 0 ? null : (100 * converted) / visitors;
}

function rateBefore(converted: number | undefined, visitors: number | null | undefined): RateBefore | undefined {
  if (converted === undefined) return undefined;
  return { converted, rate: visitors === undefined || visitors === null ? null : rateOf(converted, visitors) };
}

/** Null where nothing is known of them. */
function visitorsOf({ step }: PanelList, row: object): number | null {
  return step?.(row as Rows[QueryTypeName]).visitors ?? null;
}
