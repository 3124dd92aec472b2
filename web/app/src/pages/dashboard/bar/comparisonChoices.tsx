import { addDays, countDays, type Days } from "../../../figures/days.ts";
import { t } from "../../../texts/texts.ts";
import { MenuItem } from "../../../ui/menu.tsx";
import { useDashboard } from "../context.ts";
import { comparedWith, comparisonIn, comparisons } from "../view/comparison.ts";
import { showView } from "../view/currentView.ts";
import { comparisonText } from "./comparisonText.ts";
import { OwnDays } from "./ownDays.tsx";

/** The periods to compare with, each with what it is for the range on screen, and one of one's own. */
export function ComparisonChoices() {
  const { view, days, now } = useDashboard();
  const texts = t();
  const current = comparisonIn(view);
  return (
    <>
      {comparisons.map((compare) => (
        <MenuItem key={compare} isCurrent={current === compare} onChoose={() => showView({ ...view, compare })}>
          <span>
            {texts.dashboard.comparisons[compare]}
            {compare !== "none" && (
              <span class="field-hint menu-hint">
                {comparisonText(comparedWith(compare, view.range, now.day), texts)}
              </span>
            )}
          </span>
        </MenuItem>
      ))}
      <hr class="menu-line" />
      <p class="menu-heading">{texts.bar.ownComparison}</p>
      <OwnDays
        days={typeof current === "string" ? daysBefore(days) : { first: current.from, last: current.to }}
        latest={now.day}
        onChoose={({ first, last }) => showView({ ...view, compare: { from: first, to: last } })}
      />
    </>
  );
}

function daysBefore(days: Days): Days {
  const count = countDays(days);
  return { first: addDays(days.first, -count), last: addDays(days.last, -count) };
}
