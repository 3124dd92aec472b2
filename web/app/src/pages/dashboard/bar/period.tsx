import { t } from "../../../texts/texts.ts";
import { Menu } from "../../../ui/menu.tsx";
import { useModule } from "../../../ui/useModule.ts";
import { useDashboard } from "../context.ts";
import { rangeName } from "./rangeName.ts";
import { StepButton } from "./stepButton.tsx";

/** The period, whose choices are loaded after the key figures, between the buttons to the one before and the one after it; on a phone these are in its menu. */
export function Period() {
  const { view, hasFigures } = useDashboard();
  const choices = useModule(() => import("./periodChoices.tsx"), hasFigures.value);
  const texts = t();
  return (
    <div class="period">
      <StepButton by={-1} />
      <Menu label={texts.dashboard.range} button={rangeName(view.range, texts)} alignEnd>
        {choices !== undefined && <choices.PeriodChoices />}
      </Menu>
      <StepButton by={1} />
    </div>
  );
}
