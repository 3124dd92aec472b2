import { formatDay } from "../../../texts/format.ts";
import { t } from "../../../texts/texts.ts";
import { MenuItem } from "../../../ui/menu.tsx";
import { useDashboard } from "../context.ts";
import { useKeptSince } from "../unknown/useKeptSince.ts";
import { showView } from "../view/currentView.ts";
import { countDays, daysOf } from "../view/days.ts";
import { granularitiesOf } from "../view/question.ts";
import { type Preset, presets } from "../view/range.ts";
import { ComparisonChoices } from "./comparisonChoices.tsx";
import { OwnDays } from "./ownDays.tsx";

/** The keys that choose a range (periodKeys.ts). */
const keys: Readonly<Partial<Record<Preset, string>>> = { today: "D", last_7d: "W", this_month: "M", this_year: "Y" };

/** The ranges, one of one's own, and the buckets of the chart. On a phone also the comparison, which has no menu there. */
export function PeriodChoices() {
  const { view, now, days, granularity, websiteId, subject } = useDashboard();
  const { dashboard, bar } = t();
  const since = useKeptSince(websiteId, subject.timezone).day;
  return (
    <>
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
            {keys[preset] !== undefined && (
              <span class="key" aria-hidden="true">
                {keys[preset]}
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
