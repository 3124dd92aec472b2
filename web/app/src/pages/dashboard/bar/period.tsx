import { t } from "../../../texts/texts.ts";
import { Menu } from "../../../ui/menu.tsx";
import { useDashboard } from "../context.ts";
import { PeriodChoices } from "./periodChoices.tsx";
import { rangeName } from "./rangeName.ts";
import { StepButton } from "./stepButton.tsx";

/** The period, between the buttons to the one before and the one after it; on a phone these are in its menu. */
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
