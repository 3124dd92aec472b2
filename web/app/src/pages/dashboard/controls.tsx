import { formatDays } from "../../texts/format.ts";
import { t } from "../../texts/texts.ts";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { useDashboard } from "./context.ts";
import { showView } from "./view/currentView.ts";
import { countDays, daysOf } from "./view/days.ts";
import { mostDaysByHour } from "./view/question.ts";
import { comparisonIn, comparisons, presets } from "./view/view.ts";

/** Range, comparison and bucket size. */
export function Controls() {
  const { view, now, granularity } = useDashboard();
  const { dashboard } = t();
  const days = daysOf(view.range, now.day);
  const rangeName = "preset" in view.range ? dashboard.ranges[view.range.preset] : formatDays(days.first, days.last);
  return (
    <div class="controls">
      <Menu
        label={dashboard.granularity}
        button={dashboard.granularities[granularity === "hourly" ? "hourly" : "daily"]}
        alignEnd
      >
        <MenuItem isCurrent={granularity === "daily"} onChoose={() => showView({ ...view, granularity: "daily" })}>
          {dashboard.granularities.daily}
        </MenuItem>
        {countDays(days) <= mostDaysByHour && (
          <MenuItem isCurrent={granularity === "hourly"} onChoose={() => showView({ ...view, granularity: "hourly" })}>
            {dashboard.granularities.hourly}
          </MenuItem>
        )}
      </Menu>
      <Menu label={dashboard.comparison} button={dashboard.comparisons[comparisonIn(view)]} alignEnd>
        {comparisons.map((compare) => (
          <MenuItem
            key={compare}
            isCurrent={comparisonIn(view) === compare}
            onChoose={() => showView({ ...view, compare })}
          >
            {dashboard.comparisons[compare]}
          </MenuItem>
        ))}
      </Menu>
      <Menu label={dashboard.range} button={rangeName} alignEnd>
        {presets.map((preset) => (
          <MenuItem
            key={preset}
            isCurrent={"preset" in view.range && view.range.preset === preset}
            onChoose={() => showView({ ...view, range: { preset } })}
          >
            {dashboard.ranges[preset]}
          </MenuItem>
        ))}
        <hr class="menu-line" />
        <OwnRange first={days.first} last={days.last} today={now.day} />
      </Menu>
    </div>
  );
}

type OwnRangeProps = { readonly first: string; readonly last: string; readonly today: string };

/** A range between two chosen days. */
function OwnRange({ first, last, today }: OwnRangeProps) {
  const { view } = useDashboard();
  const { dashboard } = t();
  return (
    <form
      class="own-range"
      onSubmit={(event) => {
        event.preventDefault();
        const data = new FormData(event.currentTarget);
        const [one = "", other = ""] = [String(data.get("from")), String(data.get("to"))].toSorted();
        showView({ ...view, range: { from: one, to: other } });
      }}
    >
      <label>
        {dashboard.from}
        <input class="input" type="date" name="from" required max={today} defaultValue={first} />
      </label>
      <label>
        {dashboard.to}
        <input class="input" type="date" name="to" required max={today} defaultValue={last} />
      </label>
      <button type="submit" class="button button-wide">
        {dashboard.show}
      </button>
    </form>
  );
}
