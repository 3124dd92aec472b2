import { useEffect } from "preact/hooks";
import { useAnswer } from "../../../api/useAnswer.ts";
import { t } from "../../../texts/texts.ts";
import { Definition } from "../../../ui/definition.tsx";
import { ErrorNotice } from "../../../ui/errorNotice.tsx";
import { NoValue } from "../../../ui/noValue.tsx";
import { useLate } from "../../../ui/useLate.ts";
import { useDashboard } from "../context.ts";
import { FilterMessage } from "../filterMessage.tsx";
import { live, patienceMs } from "../live.ts";
import { UnknownNote } from "../unknown/unknownNote.tsx";
import { showView } from "../view/currentView.ts";
import { drawnMetric, saysNothing } from "../view/pageViews.ts";
import { compared } from "../view/question.ts";
import { ChangeText } from "./changeText.tsx";
import { comparedTime } from "./comparedTime.ts";
import { type Figure, figures } from "./figures.ts";

/** The key figures with their change. A click on one makes the chart draw it. */
export function KeyFigures() {
  const { view, scope, subject, refresh, hasFigures, isRangeUnknown, isComparable, failure } = useDashboard();
  const current = useAnswer({ ...compared(scope, view), parameters: ["summary_metrics"] }, { refresh });
  const { comparison } = current;
  const time = comparison === undefined ? "" : comparedTime(comparison, subject.timezone, t());
  const isAnswered = current.rows !== undefined || current.error !== undefined;
  useEffect(() => {
    if (isAnswered) hasFigures.value = true;
  }, [isAnswered, hasFigures]);
  // The stream is never staler than the answer.
  const row = live.value.summary ?? current.rows?.[0];
  const isUnknown = row?.unique_visitors === null;
  const isComplete = comparison?.isComplete === true;
  useEffect(() => {
    isRangeUnknown.value = isUnknown;
    isComparable.value = isComplete;
  }, [isUnknown, isComplete, isRangeUnknown, isComparable]);
  const error = current.rows === undefined ? current.error : undefined;
  useEffect(() => {
    failure.value = error;
  }, [error, failure]);
  const isLate = useLate(row === undefined && error === undefined, patienceMs);
  if (error !== undefined) return <ErrorNotice error={error} onRetry={current.retry} />;
  return (
    <>
      {isLate && (
        <p class="notice" role="status" data-late>
          {t().dashboard.late}
        </p>
      )}
      <FilterMessage visitors={current.rows?.[0]?.unique_visitors} />
      <ul class="figures" aria-busy={row === undefined}>
        {figures.map((figure) => (
          <li key={figure.metric}>
            <KeyFigure
              figure={figure}
              saysNothing={saysNothing(figure.metric, view.filters)}
              value={row?.[figure.field]}
              isUnknown={isUnknown}
              before={isComplete ? comparison.data[0]?.[figure.field] : undefined}
              time={time}
              isShown={drawnMetric(view) === figure.metric}
              onChoose={() => showView({ ...view, metric: figure.metric })}
            />
          </li>
        ))}
      </ul>
      <UnknownNote
        intro={comparison?.isComplete === false ? t().dashboard.notCompared : t().dashboard.unknownDays}
        unknown={[...(comparison?.unknown ?? []), ...current.unknown]}
      />
    </>
  );
}

type KeyFigureProps = {
  readonly figure: Figure;
  /** Whether it has no meaning with the current filters, and cannot be drawn. */
  readonly saysNothing: boolean;
  /** Undefined until known, null if nothing was measured. */
  readonly value: number | null | undefined;
  /** Whether it has no value because nothing is known of the range. */
  readonly isUnknown: boolean;
  readonly before: number | null | undefined;
  /** The time of the earlier figure. */
  readonly time: string;
  /** Whether the chart draws it. */
  readonly isShown: boolean;
  readonly onChoose: () => void;
};

function KeyFigure({ figure, saysNothing, value, isUnknown, before, time, isShown, onChoose }: KeyFigureProps) {
  const { dashboard } = t();
  const name = dashboard.metrics[figure.metric];
  return (
    <div class="figure" data-shown={isShown}>
      <p class="figure-name">
        <Definition type="summary_metrics" field={figure.field}>
          {name}
        </Definition>
      </p>
      <p class="figure-value">
        {value === undefined ? (
          <span class="figure-waiting" />
        ) : isUnknown ? (
          <span class="figure-unknown">{t().panels.unknown}</span>
        ) : value === null || saysNothing ? (
          <NoValue />
        ) : (
          <data value={value} data-figure={figure.metric}>
            {figure.format(value)}
          </data>
        )}
      </p>
      <p class="figure-change">
        {!saysNothing && (
          <ChangeText
            value={value}
            before={before}
            format={figure.format}
            moreIs={figure.moreIs}
            unit={figure.changesIn}
            time={time}
          />
        )}
      </p>
      {!saysNothing && (
        <button type="button" class="figure-choose" aria-pressed={isShown} onClick={onChoose}>
          <span class="said">{dashboard.showInChart(name)}</span>
        </button>
      )}
    </div>
  );
}
