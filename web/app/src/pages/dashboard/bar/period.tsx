import { t } from "../../../texts/texts.ts";
import { Menu } from "../../../ui/menu.tsx";
import { useDashboard } from "../context.ts";
import { showView } from "../view/currentView.ts";
import { stepRange } from "../view/steps.ts";
import { PeriodChoices } from "./periodChoices.tsx";
import { rangeName } from "./rangeName.ts";

/** The period, between the buttons to the one before and the one after it. */
export function Period() {
  const { view } = useDashboard();
  const texts = t();
  return (
    <div class="period">
      <StepButton by={-1} />
      <Menu label={texts.dashboard.range} button={rangeName(view.range, texts)} alignEnd>
        <PeriodChoices />
      </Menu>
      <StepButton by={1} />
    </div>
  );
}

/** Stays a stop of the keyboard where there is no other period, so that the focus is not lost. */
function StepButton({ by }: { readonly by: -1 | 1 }) {
  const { view, now } = useDashboard();
  const { bar } = t();
  const range = stepRange(view.range, by, now.day);
  const name = by === -1 ? bar.before : bar.after;
  return (
    <button
      type="button"
      class="button period-step"
      aria-label={name}
      title={name}
      aria-disabled={range === undefined}
      data-step={by}
      onClick={() => {
        if (range !== undefined) showView({ ...view, range });
      }}
    >
      <span aria-hidden="true" class="period-arrow" data-by={by} />
    </button>
  );
}
