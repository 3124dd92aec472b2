import { useSignal } from "@preact/signals";
import { useAnswer } from "../../../api/useAnswer.ts";
import { formatBucket } from "../../../texts/format.ts";
import { t } from "../../../texts/texts.ts";
import { NoValue } from "../../../ui/noValue.tsx";
import { ChartCanvas } from "../../../ui/plot/chartCanvas.tsx";
import { chartMarks, type PlacedMark, placeMarks } from "../../../ui/plot/chartMarks.ts";
import { type ChartSummary, chartSummary } from "../../../ui/plot/chartSummary.ts";
import { fullBuckets } from "../../../ui/plot/fullBuckets.ts";
import { TableToggle } from "../../../ui/tableToggle.tsx";
import { useDashboard } from "../context.ts";
import { CopyMenu } from "../copy/copyMenu.tsx";
import { figureOf } from "../figures/figures.ts";
import { PartError } from "../partError.tsx";
import type { LocalTime } from "../view/days.ts";
import { drawnMetric } from "../view/pageViews.ts";
import { compared } from "../view/question.ts";
import { comparisonIn } from "../view/view.ts";

/** The chosen figure over time, compared with the chosen period. */
export function Chart() {
  const { view, scope, subject, now, granularity, refresh, hasFigures } = useDashboard();
  const { dashboard } = t();
  const question = { ...compared(scope, view), granularity, parameters: ["events_by_date"] } as const;
  const current = useAnswer(question, { refresh, isWanted: hasFigures.value });
  const metric = drawnMetric(view);
  const { format, isCount = false } = figureOf(metric);
  const name = dashboard.metrics[metric];
  const rows = current.rows ?? [];
  const beforeRows = current.comparison?.data ?? [];
  const isCompared = comparisonIn(view) !== "none";
  const showsTable = useSignal(false);
  const buckets = rows.map(({ date }) => date);
  const marks = placeMarks(chartMarks.value, buckets, subject.timezone);
  const currentAt = rows.findIndex(({ date }) => isCurrent(date, now));
  const values = rows.map((row) => row[metric]);
  return (
    <section class="panel chart" aria-label={dashboard.chartOf(name)}>
      <div class="panel-head">
        <h2>{dashboard.chartOf(name)}</h2>
        {marks.length > 0 && <MarkLegend marks={marks} />}
        <div class="panel-tools">
          <TableToggle showsTable={showsTable} />
          <CopyMenu question={question} />
        </div>
      </div>
      {current.error !== undefined && current.rows === undefined ? (
        <PartError error={current.error} onRetry={current.retry} />
      ) : (
        <>
          <ChartCanvas
            isHidden={showsTable.value}
            changes={[current.rows, current.comparison, metric, name, format, dashboard, JSON.stringify(marks)]}
            data={
              current.rows === undefined
                ? undefined
                : {
                    buckets,
                    values,
                    current: currentAt,
                    before: beforeRows.map((row) => row[metric]),
                    name,
                    beforeName: dashboard.before,
                    format,
                    isCount,
                    marks,
                  }
            }
          />
          <p class="said" role="status" data-chart-summary>
            {summaryText(name, chartSummary(buckets, fullBuckets(values, currentAt)), format)}
          </p>
          {showsTable.value && (
            <div class="chart-table">
              <table class="plain-table">
                <thead>
                  <tr>
                    <th scope="col">{granularity === "hourly" ? dashboard.hour : dashboard.day}</th>
                    <th scope="col">{name}</th>
                    {isCompared && <th scope="col">{dashboard.before}</th>}
                  </tr>
                </thead>
                <tbody>
                  {rows.map((row, index) => (
                    <tr key={row.date}>
                      <th scope="row">
                        {formatBucket(row.date)}
                        <MarkTexts marks={marks.filter(({ first, last }) => first <= index && index <= last)} />
                      </th>
                      <td>
                        <FigureText value={row[metric]} format={format} />
                      </td>
                      {isCompared && (
                        <td>
                          <FigureText value={beforeRows[index]?.[metric]} format={format} />
                        </td>
                      )}
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </>
      )}
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

/** Whether a bucket is the day or the hour that it was when the view was opened. */
function isCurrent(bucket: string, { day, time }: LocalTime): boolean {
  return bucket === day || bucket.slice(0, 13) === `${day}T${time.slice(0, 2)}`;
}

type FigureTextProps = {
  /** Null if nothing was measured, undefined if the other period has no such day. */
  readonly value: number | null | undefined;
  readonly format: (value: number) => string;
};

function FigureText({ value, format }: FigureTextProps) {
  return value === undefined || value === null ? <NoValue /> : format(value);
}

/** Explains the bands, each kind once. */
function MarkLegend({ marks }: { readonly marks: readonly PlacedMark[] }) {
  const { uptime } = t();
  const kinds = (["incident", "maintenance"] as const).filter((kind) => marks.some((mark) => mark.kind === kind));
  return (
    <ul class="mark-legend" data-marks={marks.length}>
      {kinds.map((kind) => (
        <li key={kind} data-kind={kind}>
          {kind === "incident" ? uptime.incidents : uptime.maintenance}
        </li>
      ))}
    </ul>
  );
}

function MarkTexts({ marks }: { readonly marks: readonly PlacedMark[] }) {
  const { more } = t();
  return marks.map(({ kind, name, first }) => (
    <span class="field-hint mark-text" key={`${kind} ${name} ${first}`}>
      {kind === "incident" ? more.incident(name) : more.maintenance(name)}
    </span>
  ));
}
