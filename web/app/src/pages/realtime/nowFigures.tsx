import { formatCount } from "../../texts/format.ts";
import { allTexts } from "../../texts/settings/settingsTexts.ts";
import { NoValue } from "../../ui/noValue.tsx";
import type { RealtimeFigures } from "./figures.ts";
import { minuteBars, totalsOf } from "./minutes.ts";

/** Who is here now, and the totals of the last half hour. */
export function NowFigures({ figures }: { readonly figures: RealtimeFigures | undefined }) {
  const { realtime: texts, dashboard } = allTexts();
  const totals = figures?.minutes === undefined ? undefined : totalsOf(minuteBars(figures.minutes));
  const isWaiting = figures === undefined;
  return (
    <div class="realtime-figures" aria-busy={isWaiting}>
      <dl class="realtime-now">
        <div>
          <dt>{texts.now}</dt>
          <Value name="now" value={figures?.now?.active_users ?? undefined} isWaiting={isWaiting} />
          <dd class="field-hint realtime-hint">{texts.fiveMinutes}</dd>
        </div>
      </dl>
      <div>
        <h2>{texts.halfHour}</h2>
        <dl class="realtime-recent">
          <div>
            <dt>{dashboard.metrics.visitors}</dt>
            <Value name="visitors" value={figures?.recent?.visitors ?? undefined} isWaiting={isWaiting} />
          </div>
          <div>
            <dt>{dashboard.metrics.pageviews}</dt>
            <Value name="pageviews" value={totals?.views} isWaiting={isWaiting} />
          </div>
          <div>
            <dt>{texts.customEvents}</dt>
            <Value name="events" value={totals?.events} isWaiting={isWaiting} />
          </div>
        </dl>
      </div>
    </div>
  );
}

type ValueProps = { readonly name: string; readonly value: number | undefined; readonly isWaiting: boolean };

function Value({ name, value, isWaiting }: ValueProps) {
  return (
    <dd>
      {value !== undefined ? (
        <data value={value} data-figure={name}>
          {formatCount(value)}
        </data>
      ) : isWaiting ? (
        <span class="figure-waiting" />
      ) : (
        <NoValue />
      )}
    </dd>
  );
}
