import { t } from "../../../texts/texts.ts";
import { ErrorNotice } from "../../../ui/errorNotice.tsx";
import { FigureStrip } from "../figures/figureStrip.tsx";
import { useKeyFigures } from "../figures/useKeyFigures.ts";
import { FilterMessage } from "../filterMessage.tsx";
import { UnknownNote } from "../unknown/unknownNote.tsx";
import { Chart } from "./chart.tsx";
import { sparkValues } from "./sparkValues.ts";
import { useSeries } from "./useSeries.ts";
import "../../../styles/figures.css";

/** One card: the key figures, each with its small line, and below them the chosen one as a chart. */
export function FirstCard() {
  const { dashboard } = t();
  const figures = useKeyFigures();
  const series = useSeries();
  const { rows } = series.answer;
  const { comparison, unknown, visitors, error, retry, isLate } = figures;
  return (
    <>
      {isLate && (
        <p class="notice" role="status" data-late>
          {dashboard.late}
        </p>
      )}
      {error !== undefined && <ErrorNotice error={error} onRetry={retry} />}
      <FilterMessage visitors={visitors} />
      <div class="panel first-card">
        {error === undefined && (
          <FigureStrip {...figures} sparkOf={(metric) => sparkValues(rows, series.current, metric)} />
        )}
        <Chart series={series}>
          <UnknownNote
            intro={comparison?.isComplete === false ? dashboard.notCompared : dashboard.unknownDays}
            unknown={[...(comparison?.unknown ?? []), ...unknown]}
          />
        </Chart>
      </div>
    </>
  );
}
