import { t } from "../../../texts/texts.ts";
import { Menu } from "../../../ui/menu.tsx";
import { useModule } from "../../../ui/useModule.ts";
import { useDashboard } from "../context.ts";
import { comparedWith, comparisonIn } from "../view/comparison.ts";
import { comparisonText } from "./comparisonText.ts";

/** What the period is compared with; the choices are loaded after the key figures. On a phone it is a part of the period's menu. */
export function ComparisonMenu() {
  const { view, now, hasFigures } = useDashboard();
  const choices = useModule(() => import("./comparisonChoices.tsx"), hasFigures.value);
  const texts = t();
  // Before all time there is nothing to compare with.
  if ("preset" in view.range && view.range.preset === "all") return null;
  return (
    <div class="bar-wide" data-comparison>
      <Menu
        label={texts.dashboard.comparison}
        button={comparisonText(comparedWith(comparisonIn(view), view.range, now.day), texts)}
        alignEnd
      >
        {choices !== undefined && <choices.ComparisonChoices />}
      </Menu>
    </div>
  );
}
