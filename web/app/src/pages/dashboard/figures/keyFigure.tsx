import { ChangeText } from "../../../figures/changeText.tsx";
import { t } from "../../../texts/texts.ts";
import { Definition } from "../../../ui/definition.tsx";
import { NoValue } from "../../../ui/noValue.tsx";
import { Sparkline } from "../../../ui/spark/sparkline.tsx";
import type { Figure } from "./figures.ts";

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
  /** Its values over time; undefined until known. */
  readonly spark: readonly (number | null)[] | undefined;
  /** Whether the chart draws it. */
  readonly isShown: boolean;
  readonly onChoose: () => void;
};

/** A figure, its change and its small line. The whole tile is a button. */
export function KeyFigure(props: KeyFigureProps) {
  const { figure, saysNothing, value, isUnknown, before, time, spark, isShown, onChoose } = props;
  const { dashboard } = t();
  const name = dashboard.metrics[figure.metric];
  return (
    <div class="figure" data-shown={isShown}>
      <p class="figure-name">
        <Definition type="summary_metrics" field={figure.field}>
          {name}
        </Definition>
      </p>
      <div class="figure-line">
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
      </div>
      <Sparkline values={saysNothing ? [] : spark} />
      {!saysNothing && (
        <button type="button" class="figure-choose" aria-pressed={isShown} onClick={onChoose}>
          <span class="said">{dashboard.showInChart(name)}</span>
        </button>
      )}
    </div>
  );
}
