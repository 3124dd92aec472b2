import { useSignal } from "@preact/signals";
import { useAnswer } from "../../../api/useAnswer.ts";
import { formatBucket } from "../../../texts/format.ts";
import { t } from "../../../texts/texts.ts";
import { ErrorNotice } from "../../../ui/errorNotice.tsx";
import { ChartCanvas } from "../../../ui/plot/chartCanvas.tsx";
import { useDashboard } from "../context.ts";
import { CopyMenu } from "../copy/copyMenu.tsx";
import { figureOf } from "../figures/figures.ts";
import { comparedDays, type LocalTime } from "../view/days.ts";

/** The chosen figure over time, with the days it is compared with. */
export function Chart() {
  const { view, scope, subject, now, granularity, refresh } = useDashboard();
  const { dashboard } = t();
  const days = comparedDays(view.range, view.compare, now.day);
  const question = { ...scope, granularity, parameters: ["events_by_date"] } as const;
  const current = useAnswer(question, { refresh });
  const before = useAnswer(
    {
      ...subject,
      startDate: days?.first ?? now.day,
      endDate: days?.last ?? now.day,
      granularity,
      parameters: ["events_by_date"],
    },
    { isWanted: days !== undefined },
  );
  const { metric } = view;
  const { format, isCount = false } = figureOf(metric);
  const name = dashboard.metrics[metric];
  const rows = current.rows ?? [];
  const beforeRows = days === undefined ? [] : (before.rows ?? []);
  const showsTable = useSignal(false);
  return (
    <section class="panel chart" aria-label={dashboard.chartOf(name)}>
      <div class="panel-head">
        <h2>{dashboard.chartOf(name)}</h2>
        <div class="panel-tools">
          <button
            type="button"
            class="button button-plain"
            aria-pressed={showsTable.value}
            onClick={() => {
              showsTable.value = !showsTable.value;
            }}
          >
            {dashboard.asTable}
          </button>
          <CopyMenu question={question} />
        </div>
      </div>
      {current.error !== undefined && current.rows === undefined ? (
        <ErrorNotice error={current.error} onRetry={current.retry} />
      ) : (
        <>
          <ChartCanvas
            isHidden={showsTable.value}
            changes={[current.rows, before.rows, days === undefined, metric, name, format, dashboard]}
            data={
              current.rows === undefined
                ? undefined
                : {
                    buckets: rows.map(({ date }) => date),
                    values: rows.map((row) => row[metric]),
                    current: rows.findIndex(({ date }) => isCurrent(date, now)),
                    before: beforeRows.map((row) => row[metric]),
                    name,
                    beforeName: dashboard.before,
                    format,
                    isCount,
                  }
            }
          />
          {showsTable.value && (
            <div class="chart-table">
              <table class="plain-table">
                <thead>
                  <tr>
                    <th scope="col">{granularity === "hourly" ? dashboard.hour : dashboard.day}</th>
                    <th scope="col">{name}</th>
                    {days !== undefined && <th scope="col">{dashboard.before}</th>}
                  </tr>
                </thead>
                <tbody>
                  {rows.map((row, index) => (
                    <tr key={row.date}>
                      <th scope="row">{formatBucket(row.date)}</th>
                      <td>{format(row[metric])}</td>
                      {days !== undefined && <td>{formatOrNothing(beforeRows[index]?.[metric], format)}</td>}
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

/** Whether a bucket is the day or the hour that it was when the view was opened. */
function isCurrent(bucket: string, { day, time }: LocalTime): boolean {
  return bucket === day || bucket.slice(0, 13) === `${day}T${time.slice(0, 2)}`;
}

function formatOrNothing(value: number | undefined, format: (value: number) => string): string {
  return value === undefined ? "–" : format(value);
}
