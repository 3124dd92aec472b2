import type { Signal } from "@preact/signals";
import type { ComparedGoals } from "../../../../../../../packages/client-js/src/gen/lookout/v1/funnels_pb.ts";
import type { LookoutQuery } from "../../../../../../../packages/client-js/src/query.ts";
import type { LookoutError } from "../../../../api/client.ts";
import { formatCount, formatPercent } from "../../../../texts/format.ts";
import { t } from "../../../../texts/texts.ts";
import { BarTable } from "../../../../ui/barTable.tsx";
import { useDashboard } from "../../context.ts";
import { CopyMenu } from "../../copy/copyMenu.tsx";
import { ChangeText } from "../../figures/changeText.tsx";
import { comparedTime } from "../../figures/comparedTime.ts";
import { RateChange } from "../../figures/rateChange.tsx";
import { EmptyPanel } from "../../panels/emptyPanel.tsx";
import { fewRows } from "../../panels/rowCount.ts";
import { ShowMore } from "../../panels/showMore.tsx";
import { Waiting } from "../../panels/waiting.tsx";
import { PartError } from "../../partError.tsx";
import { hrefOfView } from "../../view/currentView.ts";
import { type TextFilter, withFilters } from "../../view/view.ts";

/** How many visitors of a row reach the chosen goal. */
export type RateRow = {
  readonly key: string;
  readonly label: string;
  readonly visitors: number;
  /** Null if unknown. */
  readonly converted: number | null;
  /** Percent; null without visitors. */
  readonly rate: number | null;
  /** The figures of the other period; undefined if the two must not be compared. */
  readonly before: RateBefore | undefined;
  /** What a click on the row filters by. */
  readonly filters: readonly TextFilter[];
};

export type RateBefore = Pick<RateRow, "converted" | "rate">;

type RateTableProps = {
  readonly rowName: string;
  /** Undefined until known. */
  readonly rows: readonly RateRow[] | undefined;
  /** The time that figures are compared with. */
  readonly comparison: Pick<ComparedGoals, "from" | "until"> | undefined;
  /** The question as a query. */
  readonly question: LookoutQuery;
  readonly isLoading: boolean;
  readonly error: LookoutError | undefined;
  readonly onRetry: () => void;
  readonly showsAll: Signal<boolean>;
  /** Below the rows. */
  readonly hint?: string | undefined;
};

/** Rows of a panel with the chosen goal: conversions, visitors, rate, and their changes. */
export function RateTable({
  rowName,
  rows,
  comparison,
  isLoading,
  error,
  onRetry,
  showsAll,
  hint,
  question,
}: RateTableProps) {
  const { view, scope } = useDashboard();
  const { panels, dashboard } = t();
  const time = comparison === undefined ? "" : comparedTime(comparison, scope.timezone, t());
  return (
    <>
      <div class="panel-body" aria-busy={isLoading}>
        {error !== undefined && rows === undefined ? (
          <PartError error={error} onRetry={onRetry} />
        ) : rows === undefined ? (
          <Waiting />
        ) : rows.length === 0 ? (
          <EmptyPanel />
        ) : (
          <BarTable
            rows={showsAll.value ? rows : rows.slice(0, fewRows)}
            head={rowName}
            columns={[
              {
                name: panels.converted,
                value: ({ converted }) => converted,
                note: ({ converted, before }) => (
                  <ChangeText
                    value={converted}
                    before={before?.converted}
                    format={formatCount}
                    moreIs="better"
                    time={time}
                  />
                ),
              },
              { name: dashboard.metrics.visitors, value: ({ visitors }) => visitors },
              {
                name: panels.rate,
                value: ({ rate }) => rate,
                format: formatPercent,
                note: ({ rate, before }) => <RateChange rate={rate} before={before?.rate} time={time} />,
              },
            ]}
            label={({ label }) => label}
            rowKey={({ key }) => key}
            link={({ filters }, label) =>
              filters.length === 0
                ? undefined
                : { href: hrefOfView(withFilters(view, filters)), title: panels.filterBy(label) }
            }
          />
        )}
      </div>
      <div class="panel-foot">
        <ShowMore showsAll={showsAll} hasMore={(rows ?? []).length > fewRows} />
        {hint !== undefined && <span class="panel-hint">{hint}</span>}
        <CopyMenu question={question} />
      </div>
    </>
  );
}
