import { useEffect } from "preact/hooks";
import { useAnswer } from "../../../api/useAnswer.ts";
import { formatDays, formatPercent } from "../../../texts/format.ts";
import { t } from "../../../texts/texts.ts";
import { Definition } from "../../../ui/definition.tsx";
import { ErrorNotice } from "../../../ui/errorNotice.tsx";
import { NoValue } from "../../../ui/noValue.tsx";
import { useDashboard } from "../context.ts";
import { live } from "../live.ts";
import { UnknownNote } from "../unknownNote.tsx";
import { showView } from "../view/currentView.ts";
import { daysBetween } from "../view/days.ts";
import { compared } from "../view/question.ts";
import { changeOf } from "./change.ts";
import { type Figure, figures } from "./figures.ts";

/** The key figures with their change; each one chooses what the chart draws. */
export function KeyFigures() {
  const { view, scope, subject, refresh, hasFigures } = useDashboard();
  const current = useAnswer({ ...compared(scope, view), parameters: ["summary_metrics"] }, { refresh });
  const { comparison } = current;
  const days = comparison === undefined ? undefined : daysBetween(comparison, subject.timezone);
  const isAnswered = current.rows !== undefined || current.error !== undefined;
  useEffect(() => {
    if (isAnswered) hasFigures.value = true;
  }, [isAnswered, hasFigures]);
  if (current.error !== undefined && current.rows === undefined)
    return <ErrorNotice error={current.error} onRetry={current.retry} />;
  // The stream is never older than the answer.
  const row = live.value.summary ?? current.rows?.[0];
  const unknown = comparison === undefined ? [] : [...comparison.unknown, ...current.unknown];
  return (
    <>
      <ul class="figures" aria-busy={row === undefined}>
        {figures.map((figure) => (
          <li key={figure.metric}>
            <KeyFigure
              figure={figure}
              value={row?.[figure.field]}
              before={comparison?.isComplete === true ? comparison.data[0]?.[figure.field] : undefined}
              comparedTo={days === undefined ? "" : formatDays(days.first, days.last)}
              isShown={view.metric === figure.metric}
              onChoose={() => showView({ ...view, metric: figure.metric })}
            />
          </li>
        ))}
      </ul>
      <UnknownNote
        intro={comparison?.isComplete === false ? t().dashboard.notCompared : t().dashboard.unknownDays}
        unknown={unknown}
        timezone={subject.timezone}
      />
    </>
  );
}

type KeyFigureProps = {
  readonly figure: Figure;
  /** Undefined until known, null where nothing was measured. */
  readonly value: number | null | undefined;
  readonly before: number | null | undefined;
  readonly comparedTo: string;
  /** Whether the chart draws it. */
  readonly isShown: boolean;
  readonly onChoose: () => void;
};

function KeyFigure({ figure, value, before, comparedTo, isShown, onChoose }: KeyFigureProps) {
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
        ) : value === null ? (
          <NoValue />
        ) : (
          <data value={value} data-figure={figure.metric}>
            {figure.format(value)}
          </data>
        )}
      </p>
      <p class="figure-change">
        {isMeasured(value) && isMeasured(before) && (
          <ChangeText
            change={changeOf(value, before, figure.moreIs)}
            before={figure.format(before)}
            comparedTo={comparedTo}
          />
        )}
      </p>
      <button type="button" class="figure-choose" aria-pressed={isShown} onClick={onChoose}>
        <span class="said">{dashboard.showInChart(name)}</span>
      </button>
    </div>
  );
}

/** Only what both have is compared: nothing is neither more nor less than before. */
function isMeasured(value: number | null | undefined): value is number {
  return value !== undefined && value !== null;
}

type ChangeTextProps = {
  readonly change: ReturnType<typeof changeOf>;
  readonly before: string;
  readonly comparedTo: string;
};

function ChangeText({ change, before, comparedTo }: ChangeTextProps) {
  const { dashboard } = t();
  const explanation = dashboard.comparedWith(before, comparedTo);
  if (change === undefined)
    return (
      <span title={explanation}>
        {dashboard.fromNothing}
        <span class="said"> {explanation}</span>
      </span>
    );
  const direction = change.percent > 0 ? "up" : change.percent < 0 ? "down" : "same";
  return (
    <span class="change" data-good={change.isGood} title={explanation}>
      <span aria-hidden="true">{arrows[direction]}</span>
      <span class="said">{dashboard.directions[direction]} </span>
      {formatPercent(Math.abs(change.percent), Math.abs(change.percent) < 10 ? 1 : 0)}
      <span class="said"> {explanation}</span>
    </span>
  );
}

const arrows = { up: "↑ ", down: "↓ ", same: "" } as const;
