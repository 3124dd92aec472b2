import type { EventsByDateRow } from "../../../../../../packages/client-js/src/rows.ts";
import { formatBucket } from "../../../texts/format.ts";
import { t } from "../../../texts/texts.ts";
import { NoValue } from "../../../ui/noValue.tsx";
import type { PlacedMark } from "../../../ui/plot/chartMarks.ts";
import { useDashboard } from "../context.ts";
import { figureOf } from "../figures/figures.ts";
import type { Metric } from "../view/view.ts";

type ChartTableProps = {
  readonly rows: readonly EventsByDateRow[];
  /** Undefined if nothing is compared. */
  readonly before: readonly Readonly<Pick<EventsByDateRow, Metric>>[] | undefined;
  readonly metric: Metric;
  readonly marks: readonly PlacedMark[];
};

/** The chart's figures as a table. */
export function ChartTable({ rows, before, metric, marks }: ChartTableProps) {
  const { granularity } = useDashboard();
  const { dashboard } = t();
  const { format } = figureOf(metric);
  return (
    <div class="chart-table">
      <table class="plain-table">
        <thead>
          <tr>
            <th scope="col">{dashboard.buckets[granularity]}</th>
            <th scope="col">{dashboard.metrics[metric]}</th>
            {before !== undefined && <th scope="col">{dashboard.before}</th>}
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
              {before !== undefined && (
                <td>
                  <FigureText value={before[index]?.[metric]} format={format} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type FigureTextProps = {
  /** Null if nothing was measured, undefined if the other period has no such day. */
  readonly value: number | null | undefined;
  readonly format: (value: number) => string;
};

function FigureText({ value, format }: FigureTextProps) {
  return value === undefined || value === null ? <NoValue /> : format(value);
}

function MarkTexts({ marks }: { readonly marks: readonly PlacedMark[] }) {
  const { more } = t();
  return marks.map(({ kind, name, startMs, href }) => {
    const text = kind === "incident" ? more.incident(name) : more.maintenance(name);
    return (
      <span class="field-hint mark-text" key={`${kind} ${name} ${startMs}`}>
        {href === undefined ? text : <a href={href}>{text}</a>}
      </span>
    );
  });
}
