import { t } from "../../../texts/texts.ts";
import { useDashboard } from "../context.ts";
import { showView } from "../view/currentView.ts";
import { stepRange } from "../view/steps.ts";

/** Stays a stop of the keyboard where there is no other period, so that the focus is not lost. */
export function StepButton({ by }: { readonly by: -1 | 1 }) {
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
