import { useSignal } from "@preact/signals";
import type { GoalSplit } from "../../../../../../../packages/client-js/src/gen/lookout/v1/funnels_pb.ts";
import { useCall } from "../../../../api/useCall.ts";
import { formatPercent } from "../../../../texts/format.ts";
import { t } from "../../../../texts/texts.ts";
import { BarTable } from "../../../../ui/barTable.tsx";
import { ErrorNotice } from "../../../../ui/errorNotice.tsx";
import { useDashboard } from "../../context.ts";
import type { GoalRowsComponent } from "../../panels/panelTypes.ts";
import { fewRows } from "../../panels/rowCount.ts";
import { ShowMore } from "../../panels/showMore.tsx";
import { Waiting } from "../../panels/waiting.tsx";
import { valueName } from "../../valueName.ts";
import { hrefOfView } from "../../view/currentView.ts";
import { withFilter } from "../../view/view.ts";
import { funnels } from "../services.ts";
import { messageOf, rangeOf } from "./steps.ts";

/** The service splits into no more values. */
const manyRows = 100;

/** How many visitors with each value of a field reach the chosen goal, most first. */
export const GoalRows: GoalRowsComponent = ({ goal, field, rowName, withUnknown, isNear }) => {
  const { view, websiteId, scope, refresh, hasFigures } = useDashboard();
  const texts = t();
  const showsAll = useSignal(false);
  // One more than is shown tells whether there are more; another one may be left out.
  const splitLimit = showsAll.value ? manyRows : fewRows + 2;
  const answer = useCall(
    JSON.stringify(["goal by", field, goal, scope, splitLimit]),
    async (signal) => {
      const query = { goals: [messageOf(goal)], splitBy: field, splitLimit, ...rangeOf(scope) };
      return await funnels.analyzeGoals({ websiteId, timezone: scope.timezone, query }, { signal });
    },
    { refresh, isWanted: isNear && hasFigures.value },
  );
  const rows = (answer.value?.goals[0]?.splits ?? []).filter(({ value }) => withUnknown || value !== "Unknown");
  return (
    <>
      <div class="panel-body" aria-busy={answer.isLoading}>
        {answer.error !== undefined && answer.value === undefined ? (
          <ErrorNotice error={answer.error} onRetry={answer.reload} />
        ) : answer.value === undefined ? (
          <Waiting />
        ) : rows.length === 0 ? (
          <p class="panel-empty">{view.filters.length === 0 ? texts.panels.empty : texts.panels.emptyFiltered}</p>
        ) : (
          <BarTable<GoalSplit>
            rows={showsAll.value ? rows : rows.slice(0, fewRows)}
            head={rowName}
            columns={[
              { name: texts.panels.converted, value: ({ figures }) => figures?.converted ?? 0 },
              { name: texts.dashboard.metrics.visitors, value: ({ figures }) => figures?.visitors ?? 0 },
              {
                name: texts.panels.rate,
                value: ({ figures }) => figures?.conversionRate ?? null,
                format: formatPercent,
              },
            ]}
            label={({ value }) => valueName(field, value, texts)}
            rowKey={({ value }) => value}
            link={({ value }, label) => ({
              href: hrefOfView(withFilter(view, { field, op: "eq", value })),
              title: texts.panels.filterBy(label),
            })}
          />
        )}
      </div>
      <div class="panel-foot">
        <ShowMore showsAll={showsAll} hasMore={rows.length > fewRows} />
      </div>
    </>
  );
};
