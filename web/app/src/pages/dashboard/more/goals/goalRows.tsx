import { useSignal } from "@preact/signals";
import type { GoalFigures } from "../../../../../../../packages/client-js/src/gen/lookout/v1/funnels_pb.ts";
import { useCall } from "../../../../api/useCall.ts";
import { t } from "../../../../texts/texts.ts";
import { useDashboard } from "../../context.ts";
import type { GoalRowsComponent, GoalRowsProps } from "../../panels/panelTypes.ts";
import { fewRows } from "../../panels/rowCount.ts";
import { valueName } from "../../valueName.ts";
import { queryGoal } from "../../view/goal.ts";
import { compared } from "../../view/question.ts";
import { comparisonIn } from "../../view/view.ts";
import { funnels } from "../services.ts";
import { EventRows } from "./eventRows.tsx";
import { type RateBefore, RateTable } from "./rateTable.tsx";
import { comparisonOf, messageOf, rangeOf } from "./steps.ts";

/** The service's limit of values for a split. */
const manyRows = 100;

/** How many visitors of each row of a list reach the chosen goal, the most first. */
export const GoalRows: GoalRowsComponent = (props) => {
  const { visitField } = props.list;
  return visitField === undefined ? <EventRows {...props} /> : <ValueRows {...props} field={visitField} />;
};

function rateBefore(figures: GoalFigures | undefined): RateBefore | undefined {
  return figures === undefined ? undefined : { converted: figures.converted, rate: figures.conversionRate ?? null };
}

/** Rows that are the values of a field of visits. */
function ValueRows({ goal, list, field, isNear }: GoalRowsProps & { readonly field: string }) {
  const { view, websiteId, scope, refresh, hasFigures } = useDashboard();
  const texts = t();
  const showsAll = useSignal(false);
  // One more row shows that there are more. A second one, since "Unknown" may be left out.
  const splitLimit = showsAll.value ? manyRows : fewRows + 2;
  const { value, reload, ...state } = useCall(
    JSON.stringify(["goal by", field, goal, scope, comparisonIn(view), splitLimit]),
    async (signal) => {
      const asked = { goals: [messageOf(goal)], splitBy: field, splitLimit };
      const query = { ...asked, ...rangeOf(scope), ...comparisonOf(view) };
      return await funnels.analyzeGoals({ websiteId, timezone: scope.timezone, query }, { signal });
    },
    { refresh, isWanted: isNear && hasFigures.value },
  );
  const before = value?.comparison?.complete === true ? value.comparison.goals[0]?.splits : undefined;
  const rows = value?.goals[0]?.splits
    .map(({ value: name, figures }, index) => ({
      key: name,
      label: valueName(field, name, texts),
      visitors: figures?.visitors ?? 0,
      converted: figures?.converted ?? 0,
      rate: figures?.conversionRate ?? null,
      before: rateBefore(before?.[index]?.figures),
      filters: [{ field, op: "eq", value: name } as const],
    }))
    .filter(({ key }) => list.leavesOutUnknown !== true || key !== "Unknown");
  return (
    <RateTable
      {...state}
      rowName={list.rowName(texts)}
      rows={rows}
      comparison={value?.comparison}
      question={{ ...compared(scope, view), goal: queryGoal(goal), limit: splitLimit, parameters: [list.type] }}
      onRetry={reload}
      showsAll={showsAll}
    />
  );
}
