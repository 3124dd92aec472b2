import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { localTime } from "../../../figures/days.ts";
import { lacksStart } from "../../../figures/unknownTimes.ts";
import { formatBucket, formatDay } from "../../../texts/format.ts";
import { t } from "../../../texts/texts.ts";
import { ChartCanvas } from "../../../ui/plot/chartCanvas.tsx";
import { chartMarks, placeMarks } from "../../../ui/plot/chartMarks.ts";
import { type ChartSummary, chartSummary } from "../../../ui/plot/chartSummary.ts";
import { fullBuckets } from "../../../ui/plot/fullBuckets.ts";
import type { PlotBox } from "../../../ui/plot/markGroups.ts";
import { passedShare, projected } from "../../../ui/plot/projection.ts";
import { unknownRuns } from "../../../ui/plot/unknownRuns.ts";
import { useModule } from "../../../ui/useModule.ts";
import { useDashboard } from "../context.ts";
import { PartTools } from "../copy/partTools.tsx";
import { figureOf } from "../figures/figures.ts";
import { PartError } from "../partError.tsx";
import { comparisonIn } from "../view/comparison.ts";
import { drawnMetric } from "../view/pageViews.ts";
import { Legend } from "./legend.tsx";
import type { Series } from "./useSeries.ts";

type ChartProps = {
  readonly series: Series;
  /** Below the legend. */
  readonly children: ComponentChildren;
};

/** The chosen figure over time, compared with the chosen period. */
export function Chart({ series: { question, answer, current }, children }: ChartProps) {
  const { view, subject, granularity } = useDashboard();
  const { dashboard } = t();
  const metric = drawnMetric(view);
  const { format, isCount = false } = figureOf(metric);
  const name = dashboard.metrics[metric];
  const rows = answer.rows ?? [];
  const beforeRows = answer.comparison?.data ?? [];
  const showsTable = useSignal(false);
  const buckets = rows.map(({ date }) => date);
  const marks = placeMarks(chartMarks.value, buckets, subject.timezone);
  const box = useSignal<PlotBox | undefined>(undefined);
  const links = useModule(
    () => import("./markLinks.tsx"),
    marks.some(({ href }) => href !== undefined),
  );
  const table = useModule(() => import("./chartTable.tsx"), showsTable.value);
  const values = rows.map((row) => row[metric]);
  const gaps = unknownRuns(
    rows.map(({ visitors }) => visitors),
    current,
  );
  const firstKept = gaps[0]?.first === 0 && lacksStart(answer.unknown) ? buckets[gaps[0].last + 1] : undefined;
  const passed = passedShare(granularity, buckets[current] ?? "", localTime(subject.timezone, Date.now()));
  const projection = isCount ? projected(values[current] ?? null, passed) : undefined;
  return (
    <section class="chart" aria-label={dashboard.chartOf(name)}>
      <h2 class="said">{dashboard.chartOf(name)}</h2>
      {answer.error !== undefined && answer.rows === undefined ? (
        <PartError error={answer.error} onRetry={answer.retry} />
      ) : (
        <>
          <div class="chart-area">
            <ChartCanvas
              isHidden={showsTable.value}
              changes={[answer.rows, answer.comparison, metric, name, format, dashboard, JSON.stringify(marks)]}
              data={
                answer.rows === undefined
                  ? undefined
                  : {
                      buckets,
                      values,
                      current,
                      projection,
                      before: beforeRows.map((row) => row[metric]),
                      beforeBuckets: beforeRows.map(({ date }) => date),
                      name,
                      beforeName: dashboard.before,
                      format,
                      isCount,
                      marks,
                      gaps,
                      gapText: firstKept === undefined ? undefined : dashboard.keptFrom(formatDay(firstKept)),
                      onBox: ({ startPx, widthPx }) => {
                        const known = box.peek();
                        if (known?.startPx !== startPx || known.widthPx !== widthPx) box.value = { startPx, widthPx };
                      },
                    }
              }
            />
            {links !== undefined && box.value !== undefined && !showsTable.value && (
              <links.MarkLinks marks={marks} buckets={buckets.length} box={box.value} />
            )}
          </div>
          <p class="said" role="status" data-chart-summary>
            {summaryText(name, chartSummary(buckets, fullBuckets(values, current)), format)}
          </p>
          {showsTable.value && table !== undefined && (
            <table.ChartTable
              rows={rows}
              before={comparisonIn(view) === "none" ? undefined : beforeRows}
              metric={metric}
              marks={marks}
            />
          )}
        </>
      )}
      <div class="chart-foot">
        <Legend
          name={name}
          marks={marks}
          // While nothing is known, the legend is that of most charts, so that nothing moves.
          hasBefore={answer.rows === undefined || beforeRows.some((row) => typeof row[metric] === "number")}
          hasGaps={gaps.length > 0}
          isRunning={projection !== undefined}
        />
        <PartTools name={dashboard.chartOf(name)} question={question} showsTable={showsTable} />
      </div>
      <div class="chart-note">{children}</div>
    </section>
  );
}

/** What the line shows, for people who do not see it. Buckets that are not over are no part of it, so it does not change with each visit. */
function summaryText(name: string, summary: ChartSummary | undefined, format: (value: number) => string): string {
  if (summary === undefined) return "";
  const { highest, lowest, trend } = summary;
  const { dashboard } = t();
  const pointText = ({ value, bucket }: ChartSummary["highest"]) => `${format(value)}, ${formatBucket(bucket)}`;
  return dashboard.chartSummary(name, pointText(highest), pointText(lowest), dashboard.trends[trend]);
}
