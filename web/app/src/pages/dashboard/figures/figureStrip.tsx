import type { SummaryMetricsRow } from "../../../../../../packages/client-js/src/rows.ts";
import { useDashboard } from "../context.ts";
import { showView } from "../view/currentView.ts";
import { drawnMetric, saysNothing } from "../view/pageViews.ts";
import type { Metric } from "../view/view.ts";
import { figures } from "./figures.ts";
import { KeyFigure } from "./keyFigure.tsx";

type FigureStripProps = {
  /** Undefined until known. */
  readonly row: SummaryMetricsRow | undefined;
  /** Undefined if the two must not be compared. */
  readonly before: SummaryMetricsRow | undefined;
  readonly isUnknown: boolean;
  readonly time: string;
  /** The values of a figure over time; undefined until known. */
  readonly sparkOf: (metric: Metric) => readonly (number | null)[] | undefined;
};

/** The key figures with their change. A click on one makes the chart draw it. */
export function FigureStrip({ row, before, isUnknown, time, sparkOf }: FigureStripProps) {
  const { view } = useDashboard();
  return (
    <ul class="figures" aria-busy={row === undefined}>
      {figures.map((figure) => (
        <li key={figure.metric}>
          <KeyFigure
            figure={figure}
            saysNothing={saysNothing(figure.metric, view.filters)}
            value={row?.[figure.field]}
            isUnknown={isUnknown}
            before={before?.[figure.field]}
            time={time}
            spark={sparkOf(figure.metric)}
            isShown={drawnMetric(view) === figure.metric}
            onChoose={() => showView({ ...view, metric: figure.metric })}
          />
        </li>
      ))}
    </ul>
  );
}
