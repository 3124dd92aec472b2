import { countDays, daysOf } from "../../../figures/days.ts";
import { presets } from "../../../figures/range.ts";
import { formatDay } from "../../../texts/format.ts";
import { t } from "../../../texts/texts.ts";
import { MenuItem } from "../../../ui/menu.tsx";
import { useDashboard } from "../context.ts";
import { useKeptSince } from "../unknown/useKeptSince.ts";
import { showView } from "../view/currentView.ts";
import { granularitiesOf } from "../view/question.ts";
import { ComparisonChoices } from "./comparisonChoices.tsx";
import { OwnDays } from "./ownDays.tsx";
import { rangeName } from "./rangeName.ts";
import { StepButton } from "./stepButton.tsx";
import { rangeKeys } from "./useBarKeys.ts";

/** The ranges, one of one's own, and the buckets of the chart. On a phone also the comparison, which has no menu there. */
export function PeriodChoices() {
  const { view, now, days, granularity, websiteId, subject } = useDashboard();
  const { dashboard, bar } = t();
  const since = useKeptSince(websiteId, subject.timezone).day;
  return (
    <>
      <div class="bar-narrow">
        <div class="period-steps">
          <StepButton by={-1} />
          <span>{rangeName(view.range, t())}</span>
          <StepButton by={1} />
        </div>
      </div>
      <div class="period-choices">
        {presets.map((preset) => (
          <MenuItem
            key={preset}
            isCurrent={"preset" in view.range && view.range.preset === preset}
            onChoose={() => showView({ ...view, range: { preset } })}
          >
            <span>
              {dashboard.ranges[preset]}
              {since !== undefined && daysOf({ preset }, now.day, since).first < since && (
                <span class="field-hint menu-hint">{bar.keptSince(formatDay(since, { withYear: false }))}</span>
              )}
            </span>
            {rangeKeys[preset] !== undefined && (
              <span class="key" aria-hidden="true">
                {rangeKeys[preset]}
              </span>
            )}
          </MenuItem>
        ))}
      </div>
      <hr class="menu-line" />
      <OwnDays
        days={days}
        latest={now.day}
        onChoose={({ first, last }) => showView({ ...view, range: { from: first, to: last } })}
      />
      <hr class="menu-line" />
      <p class="menu-heading">{dashboard.granularity}</p>
      <div class="bucket-choices">
        {granularitiesOf(countDays(days)).map((choice) => (
          <MenuItem
            key={choice}
            isCurrent={granularity === choice}
            onChoose={() => showView({ ...view, granularity: choice })}
          >
            {dashboard.granularities[choice]}
          </MenuItem>
        ))}
      </div>
      <div class="bar-narrow">
        <hr class="menu-line" />
        <p class="menu-heading">{dashboard.comparison}</p>
        <ComparisonChoices />
      </div>
    </>
  );
}
